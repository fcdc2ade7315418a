package hosttools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxHostFile is the largest registry file that is read, in bytes.
const maxHostFile = 1 << 20

// ParseHost reads a declarative registry, usually the file toolkits.yaml:
//
//	prefix: fs_
//	tools:
//	  fs_export: export          # slug: key of a constructor
//	  fs_orders:
//	    constructor: orders
//	    config:                  # the host's defaults; no secrets
//	      max_rows: 50
//
// The constructors are the host's, by key. The result is the same as the Go
// value would be, and the caller may add App, Logger and so on before it calls
// [NewRegistry]. name stands in errors, with the line.
//
// An entry that is wrong by itself, for example with an unknown constructor,
// becomes a rejection of the registry, with its line. ParseHost returns an
// error for a file that cannot be read as a whole: not YAML, larger than 1 MiB,
// a name twice, an unknown field, an alias, or a value that JSON does not have,
// such as an unquoted date.
func ParseHost(name string, data []byte, constructors map[string]Constructor) (Host, error) {
	f := hostFile{name: name, constructors: constructors, host: Host{
		Tools: map[string]Constructor{}, Config: map[string]map[string]any{},
		lines: map[string]string{}, wrong: map[string]string{},
	}}
	root, err := f.document(data)
	if err != nil {
		return Host{}, err
	}
	if err := f.top(root); err != nil {
		return Host{}, err
	}
	return f.host, nil
}

// hostFile is a registry file that is being read.
type hostFile struct {
	name         string
	constructors map[string]Constructor
	host         Host
}

func (f *hostFile) at(node *yaml.Node) string { return fmt.Sprintf("%s:%d: ", f.name, node.Line) }

func (f *hostFile) errorf(node *yaml.Node, format string, args ...any) error {
	return fmt.Errorf(f.at(node)+format, args...)
}

// document parses the file, which holds one document.
func (f *hostFile) document(data []byte) (*yaml.Node, error) {
	if len(data) > maxHostFile {
		return nil, fmt.Errorf("%s: the file is larger than %d bytes", f.name, maxHostFile)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: the file is empty; it needs a prefix and tools", f.name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: not YAML: %w", f.name, err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, f.errorf(&second, "another document begins here; the file holds one")
	} else if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: not YAML: %w", f.name, err)
	}
	root := document.Content[0]
	return root, f.check(root, 0)
}

// maxHostDepth is how deep the file may be nested.
const maxHostDepth = 32

// check refuses aliases, merges, names that stand twice and values that JSON
// does not have, everywhere.
func (f *hostFile) check(node *yaml.Node, depth int) error {
	switch {
	case depth > maxHostDepth:
		return f.errorf(node, "this is nested more than %d deep", maxHostDepth)
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return f.errorf(node, "anchors and aliases are not supported; write the value out")
	case node.Kind == yaml.ScalarNode && !slices.Contains(scalarTags(), node.Tag):
		return f.errorf(node, "the value %q is read as %s, which is no JSON; put it into quotes", node.Value, node.Tag)
	case node.Kind == yaml.MappingNode:
		if err := f.names(node); err != nil {
			return err
		}
	}
	for _, child := range node.Content {
		if err := f.check(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// scalarTags are the kinds of values that YAML and JSON have in common.
func scalarTags() []string { return []string{"!!str", "!!int", "!!float", "!!bool", "!!null"} }

func (f *hostFile) names(mapping *yaml.Node) error {
	seen := map[string]int{}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag != "!!str" {
			return f.errorf(key, "a name must be text")
		}
		if line, twice := seen[key.Value]; twice {
			return f.errorf(key, "%q stands here again, after line %d", key.Value, line)
		}
		seen[key.Value] = key.Line
	}
	return nil
}

// members calls take for each member of a mapping.
func (f *hostFile) members(node *yaml.Node, what string, take func(key, value *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return f.errorf(node, "%s must be a mapping of names to values", what)
	}
	for i := 0; i < len(node.Content); i += 2 {
		if err := take(node.Content[i], node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (f *hostFile) top(root *yaml.Node) error {
	return f.members(root, "the file", func(key, value *yaml.Node) error {
		switch key.Value {
		case "prefix":
			return f.text(value, "the prefix", &f.host.Prefix)
		case "tools":
			return f.members(value, "tools", f.tool)
		default:
			return f.errorf(key, "there is no field %q; the fields are prefix and tools", key.Value)
		}
	})
}

func (f *hostFile) text(node *yaml.Node, what string, target *string) error {
	if node.Kind != yaml.ScalarNode || node.Tag != "!!str" {
		return f.errorf(node, "%s must be text", what)
	}
	*target = node.Value
	return nil
}

// tool reads one entry: the key of its constructor, alone or with a config.
func (f *hostFile) tool(slug, value *yaml.Node) error {
	key := ""
	if value.Kind == yaml.ScalarNode {
		if err := f.text(value, "the constructor's key", &key); err != nil {
			return err
		}
	} else if err := f.entry(slug.Value, value, &key); err != nil {
		return err
	}
	f.host.lines[slug.Value] = f.at(slug)
	build, known := f.constructors[key]
	if !known {
		f.host.wrong[slug.Value] = f.unknown(key)
	}
	f.host.Tools[slug.Value] = build
	return nil
}

// unknown says that the program has no constructor of a key.
func (f *hostFile) unknown(key string) string {
	keys := strings.Join(slices.Sorted(maps.Keys(f.constructors)), ", ")
	switch {
	case keys == "":
		return "there is no constructor, because the program has none"
	case key == "":
		return "it names no constructor; the program has: " + keys
	default:
		return fmt.Sprintf("there is no constructor %q; the program has: %s", key, keys)
	}
}

func (f *hostFile) entry(slug string, node *yaml.Node, constructor *string) error {
	return f.members(node, "the entry "+slug, func(key, value *yaml.Node) error {
		switch key.Value {
		case "constructor":
			return f.text(value, "the constructor's key", constructor)
		case "config":
			config := map[string]any{}
			if value.Kind != yaml.MappingNode {
				return f.errorf(value, "config must be a mapping of names to values")
			}
			if err := value.Decode(&config); err != nil {
				return f.errorf(value, "the config cannot be read: %v", err)
			}
			f.host.Config[slug] = config
			return nil
		default:
			return f.errorf(key, "there is no field %q; the fields are constructor and config", key.Value)
		}
	})
}
