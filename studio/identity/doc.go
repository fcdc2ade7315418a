// Package identity is who the standalone server's people are: users, their
// memberships, and the tokens that stand for them.
//
// A browser carries a cookie token, which is worth nothing without the row of
// its sign-in; a program carries an API token, which is bound to one tenant.
// Neither says what its bearer may do: memberships are read on every request,
// so that a right that is lost is lost at once.
//
//	tokens := identity.NewTokens(key.Derive(vault.PurposeTokens), time.Now)
//	service := identity.NewService(identity.Config{Store: store, Tokens: tokens})
//
// A [Service] is the server's [tenancy.Resolver]. Hosts that bring their own
// resolver do not use this package.
package identity
