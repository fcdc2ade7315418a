package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// Go runs the go command on another module, with the flags with which the
// program was built, so that what is compiled is not compiled again. What the
// module's go.mod and go.sum lack is added.
func Go(folder, verb string, args ...string) error {
	command := exec.Command("go", slices.Concat([]string{verb}, raceFlags(), args)...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", verb, err, out)
	}
	return nil
}
