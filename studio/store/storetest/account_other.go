//go:build !linux

package storetest

import "syscall"

// account is whom the server runs as. Outside Linux that is always whoever
// runs the tests, who must not be root.
type account struct{}

func serverAccount() (account, error) { return account{}, nil }

func (account) own(string) error { return nil }

func (account) attributes() *syscall.SysProcAttr { return nil }
