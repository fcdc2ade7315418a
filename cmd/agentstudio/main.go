// Command agentstudio is the standalone Agent Studio: one binary that serves a
// complete demo host with nothing else installed.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands are the sub-commands and the settings that all of them honour.
type commands struct {
	settings

	Serve   serveCommand   `cmd:"" default:"withargs" help:"Serve the Studio. This is what runs without a command."`
	Migrate migrateCommand `cmd:"" help:"Bring the database up to date."`
	Token   tokenCommand   `cmd:"" help:"Print a bearer token for the REST routes. Works while the server runs."`
	Tenant  tenantCommand  `cmd:"" help:"Make and list tenants. Works while the server runs."`
	Vault   vaultCommand   `cmd:"" help:"Look after the keys of stored secrets."`
	Doctor  doctorCommand  `cmd:"" help:"Check the settings, the key and the database, and say what to mend."`
	New     newCommand     `cmd:"" help:"Write a new program that uses Agent Studio."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run carries out one command line and returns the exit status.
func run(ctx context.Context, args []string) int {
	var c commands
	parser, err := kong.New(&c, kong.Name("agentstudio"),
		kong.Description("Agent Studio: agents from a host's tools, with a person's approval before every write."),
		kong.UsageOnError(), kong.BindTo(ctx, (*context.Context)(nil)))
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentstudio:", err)
		return 1
	}
	parsed, err := parser.Parse(args)
	parser.FatalIfErrorf(err)
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: c.level()})))
	if err := parsed.Run(&c.settings); err != nil {
		fmt.Fprintln(os.Stderr, "agentstudio:", err)
		return 1
	}
	return 0
}
