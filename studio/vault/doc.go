// Package vault keeps the one secret of a server, and makes every other secret
// from it.
//
// A [MasterKey] lives in a file that only the server's user can read. Keys for
// single purposes are derived from it, so that none of them tells anything
// about another:
//
//	key, err := vault.LoadOrCreateKey("studio.key")
//	…
//	seed := key.Derive(vault.PurposeTokens)
//	sealer := key.Sealer(vault.PurposeSeals)
//	box := key.Box(vault.PurposeVault)
//
// A [Sealer] proves that a record was written by this server. A [Box] keeps a
// secret value in a record that others may read, and opens it nowhere else.
//
// Secrets print as ***, whatever prints them.
package vault
