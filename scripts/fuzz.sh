#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other: fuzz.sh TIME
set -euo pipefail

time=${1:?usage: fuzz.sh TIME, for example 30s}

targets=$(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort)
[ -n "$targets" ] || {
	echo "There is no fuzz target." >&2
	exit 1
}

while IFS=: read -r file function; do
	name=${function#func }
	echo "== $name in ${file%/*}"
	go test -run='^$' -fuzz="^$name\$" -fuzztime="$time" "${file%/*}" </dev/null
done <<<"$targets"
