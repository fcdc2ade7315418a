// Package models holds what Agent Studio stores: the records, their ids and
// instants, and the one error type with the contract's codes. It imports
// nothing of the project, so that every layer can speak of the same things.
//
// Types that only one domain uses live in that domain's package.
package models
