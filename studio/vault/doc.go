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
// secret value where others may read it, and opens it nowhere else.
//
// What tenants store is kept by a [Keyring]: each tenant has data keys of its own,
// which are stored wrapped by a key that is derived from the master key. A secret
// is bound to its data key, its tenant and its place there. [Keyring.Rotate]
// seals everything anew, while servers read and write.
//
// Secrets print as ***, whatever prints them.
package vault
