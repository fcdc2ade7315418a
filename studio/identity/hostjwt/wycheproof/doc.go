// Package wycheproof holds our checks of JSON Web Signatures against the vectors
// of project Wycheproof. It is a module of its own, since the vectors ask for a
// newer Go than the product.
package wycheproof
