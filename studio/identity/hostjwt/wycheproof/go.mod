module github.com/agentstudio/agentstudio/studio/identity/hostjwt/wycheproof

go 1.26.4

replace github.com/agentstudio/agentstudio => ../../../../

require (
	github.com/agentstudio/agentstudio v0.0.0-00010101000000-000000000000
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/bmatcuk/doublestar/v4 v4.6.1 // indirect
	github.com/casbin/casbin/v2 v2.135.0 // indirect
	github.com/casbin/govaluate v1.3.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	github.com/golang-jwt/jwt/v5 v5.3.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
