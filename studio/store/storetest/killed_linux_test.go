package storetest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// envVictim makes this test binary the process that is killed.
const envVictim = "AGENTSTUDIO_STORETEST_VICTIM"

// TestServerEndsWithAKilledTestBinary kills a process that runs Main, and
// expects its server to end as well.
func TestServerEndsWithAKilledTestBinary(t *testing.T) {
	if os.Getenv(envVictim) != "" {
		withoutServer(t)
		Main(tests(func() int {
			fmt.Println(os.Getenv(envServer)) // The parent reads it.
			time.Sleep(time.Minute)
			return 0
		}))
		return
	}
	victim := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	victim.Env = append(os.Environ(), envVictim+"=1")
	output, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	server := strings.TrimSpace(line)
	require.NoError(t, execute(t.Context(), server, "SELECT 1"))

	require.NoError(t, victim.Process.Kill())
	require.Error(t, victim.Wait())
	require.Eventually(t, func() bool {
		_, err := pgx.Connect(t.Context(), server)
		return err != nil
	}, time.Minute, pollInterval)

	config, err := pgx.ParseConfig(server)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(config.Host))
}
