package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is whom the server runs as. The zero value is whoever runs the tests.
type account struct {
	uid, gid uint32
}

// serverAccount returns the account for the server: PostgreSQL refuses to run
// as root, so there it is the account that its package creates, or nobody's.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			return parseAccount(found)
		}
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}

func parseAccount(u *user.User) (account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user id of %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("group id of %s: %w", u.Username, err)
	}
	return account{uid: uint32(uid), gid: uint32(gid)}, nil
}

// own gives path to the account.
func (a account) own(path string) error {
	if a == (account{}) {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// attributes makes a process run as the account, and end with the process that
// started it, even when that one is killed.
func (a account) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if a != (account{}) {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}
