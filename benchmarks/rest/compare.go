package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"
)

// The two that are compared.
const (
	nameBare   = "bare"
	nameStudio = "studio"
)

// warmUp is how long each is loaded before it is measured.
const warmUp = time.Second

// body is what every request sends.
const body = `{"args":{"status":"pending"}}`

// compare starts the host, measures both ways to read and prints the table.
func compare(ctx context.Context, o options) (err error) {
	folder, err := os.MkdirTemp("", "rest-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	h, err := newHost(ctx, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close(ctx)) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	serving := &http.Server{Handler: h.echo, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = serving.Serve(listener) }() // ends with Close
	defer func() { err = errors.Join(err, serving.Close()) }()
	m := &measurer{options: o, address: listener.Addr().String(), token: h.token}
	return profiled(o, func() error { return m.table(ctx, os.Stdout) })
}

// measurer loads the server from a second process.
type measurer struct {
	options options
	address string
	token   string
}

// table measures everything and prints a line for each.
func (m *measurer) table(ctx context.Context, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "connections\tserver\trequests/s\tp50\tp99\tCPU/request\tbare/studio\tCPU studio/bare\t")
	for _, n := range m.options.connections {
		seen, err := m.both(ctx, n)
		if err != nil {
			return err
		}
		for _, s := range m.servers() {
			f, ratios := seen[s.name], "\t"
			if reference, ok := seen[nameBare]; ok && s.name == nameStudio {
				ratios = fmt.Sprintf("%.2f\t%.2f", reference.Rate/f.Rate, float64(f.CPU)/float64(reference.CPU))
			}
			_, _ = fmt.Fprintf(w, "%d\t%s\t%.0f\t%s\t%s\t%s\t%s\t\n", n, s.name, f.Rate,
				micros(f.P50), micros(f.P99), micros(f.CPU), ratios)
		}
	}
	return w.Flush()
}

func micros(d time.Duration) time.Duration { return d.Round(time.Microsecond) }

// both measures the servers in turn, so that both see the same machine, and
// returns the median round of each.
func (m *measurer) both(ctx context.Context, connections int) (map[string]figures, error) {
	rounds := map[string][]figures{}
	for round := range m.options.rounds {
		for _, s := range m.servers() {
			if round == 0 {
				if _, err := m.once(ctx, s.path, connections, warmUp); err != nil {
					return nil, err
				}
			}
			f, err := m.once(ctx, s.path, connections, m.options.duration)
			if err != nil {
				return nil, fmt.Errorf("%s at %d connections: %w", s.name, connections, err)
			}
			rounds[s.name] = append(rounds[s.name], f)
		}
	}
	medians := map[string]figures{}
	for name, all := range rounds {
		slices.SortFunc(all, func(a, b figures) int { return cmp.Compare(a.Rate, b.Rate) })
		medians[name] = all[len(all)/2]
	}
	return medians, nil
}

// server is one of the two that are compared.
type server struct{ name, path string }

// servers returns those that the options ask for.
func (m *measurer) servers() []server {
	all := []server{{nameBare, pathBare}, {nameStudio, pathStudio}}
	return slices.DeleteFunc(all, func(s server) bool { return m.options.only != "" && s.name != m.options.only })
}

// once runs one measurement, with the load from a process of its own.
func (m *measurer) once(ctx context.Context, path string, connections int, duration time.Duration) (figures, error) {
	var f figures
	request, err := encodeRequest(ctx, m.address, path, m.token)
	if err != nil {
		return f, err
	}
	encoded, err := json.Marshal(job{Address: m.address, Request: request, Connections: connections, Duration: duration})
	if err != nil {
		return f, err
	}
	program, err := os.Executable()
	if err != nil {
		return f, err
	}
	command := exec.CommandContext(ctx, program, "-load", string(encoded))
	command.Stderr = os.Stderr
	before, err := processorTime()
	if err != nil {
		return f, err
	}
	answer, err := command.Output()
	if err != nil {
		return f, fmt.Errorf("the loading process: %w", err)
	}
	after, err := processorTime()
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(answer, &f); err != nil {
		return f, fmt.Errorf("read the figures: %w", err)
	}
	f.CPU = (after - before) / time.Duration(max(f.Requests, 1))
	return f, nil
}

// processorTime returns what this process, which is the server, has used. What
// the loading process uses is not in it.
func processorTime() (time.Duration, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, fmt.Errorf("read the processor time: %w", err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), nil
}

// encodeRequest returns the bytes of the request that is sent over and over.
func encodeRequest(ctx context.Context, address, path, token string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	var buffer bytes.Buffer
	err = request.Write(&buffer)
	return buffer.Bytes(), err
}
