// Package hostjwt believes the tokens of other issuers: JWTs that a host, or
// its identity provider, signs for its own callers.
//
//	keys, err := hostjwt.KeysFromURL("https://id.example.com/jwks.json", nil)
//	…
//	tokens, err := hostjwt.NewVerifier(nil, hostjwt.Issuer{
//		Name: "https://id.example.com", Audience: "agent-studio", Keys: keys,
//	})
//	…
//	resolver, err := hostjwt.NewResolver(tokens, reload)
//
// What may sign is fixed by configuration: asymmetric algorithms, and the keys
// of the issuer. Nothing that a token brings along names or fetches a key.
//
// A [Resolver] takes a caller's rights from the claims, and leaves it to the
// host to say what they are later. [Members] takes only the account from the
// token, and the rights from the standalone server's own rows.
package hostjwt
