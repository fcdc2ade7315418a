package hosttools

import (
	"errors"
	"log/slog"
	"maps"
	"slices"
)

// Host is what a host offers.
type Host struct {
	// Prefix starts every slug, and ends in "_": "fs_".
	Prefix string
	// Tools maps slugs to constructors.
	Tools map[string]Constructor
	// Config has the host's own defaults for config parameters, by slug and
	// parameter. People can set others.
	Config map[string]map[string]any
	// App has the values for config parameters of type [App], by key.
	App map[string]any
	// Logger is told of every refused entry, once; nil means slog's default.
	Logger *slog.Logger
	// Legacy lists constructors of a host that declares no slugs yet: the slug is
	// the toolkit's Prefix, or the name of the tool's method.
	//
	// Deprecated: declare Tools.
	Legacy []Constructor

	lines map[string]string // of a file, by slug: "toolkits.yaml:7: "
	wrong map[string]string // what the file says wrongly, by slug
}

// Set is a group of toolkits that come with the Studio or with a library, in
// front of those of the host.
type Set struct {
	Origin Origin // OriginBuiltin or OriginPackaged
	Tools  map[string]Constructor
}

// Origin says where an entry comes from.
type Origin string

// The origins, in the order in which entries are taken: a later one never
// shadows an earlier one. Walked entries are host code for every purpose.
const (
	OriginBuiltin  Origin = "builtin"
	OriginPackaged Origin = "packaged"
	OriginHost     Origin = "host"
	OriginWalk     Origin = "walk" // from Host.Legacy
)

// Rejection says which entry was refused, why, and what to do about it.
type Rejection struct {
	Slug   string
	Reason string
}

// Error returns slug and reason.
func (r Rejection) Error() string { return r.Slug + ": " + r.Reason }

// Group is one registered entry with its methods, for the catalogue.
type Group struct {
	Slug        string
	Title       string
	Description string
	Standalone  bool
	TenantBound bool
	Origin      Origin
	Version     string
	Methods     []*Descriptor // sorted by name
	Config      *ConfigSchema // nil where there is nothing to configure
}

// Registry is the single look-up for tools. It is built once and read-only, so
// it may be used from any goroutine.
type Registry struct {
	groups     []Group
	bySlug     map[string]int // lower-case slug to its place in groups
	byName     map[string]*Descriptor
	folded     map[string]*Descriptor // by lower-case name
	rejections []Rejection
}

// NewRegistry checks every entry of the sets and of a host, and keeps the good
// ones. An entry that breaks a rule is left out, logged and listed in
// [Registry.Rejections]; it never stops the others (contract 1, section 1).
func NewRegistry(host Host, sets ...Set) *Registry {
	if host.Logger == nil {
		host.Logger = slog.Default()
	}
	b := builder{host: host, r: &Registry{
		bySlug: map[string]int{}, byName: map[string]*Descriptor{}, folded: map[string]*Descriptor{},
	}}
	for _, set := range sets {
		b.addSet(set)
	}
	for _, slug := range slices.Sorted(maps.Keys(host.Tools)) {
		b.add(candidate{slug: slug, origin: OriginHost, build: host.Tools[slug]})
	}
	b.addLegacy()
	b.refuseUnused()
	return b.finish()
}

// MustRegistry is [NewRegistry] for the wiring of a program: it panics when any
// entry is refused, and says all that is wrong.
func MustRegistry(host Host, sets ...Set) *Registry {
	r := NewRegistry(host, sets...)
	if err := r.Err(); err != nil {
		panic("hosttools: " + err.Error())
	}
	return r
}

// Err returns all rejections as one error, nil if there are none.
func (r *Registry) Err() error {
	problems := make([]error, 0, len(r.rejections))
	for _, rejection := range r.rejections {
		problems = append(problems, rejection)
	}
	return errors.Join(problems...)
}

// Lookup returns the method that models know by name, and false when there is
// none.
func (r *Registry) Lookup(name string) (*Descriptor, bool) {
	d, ok := r.byName[name]
	return d, ok
}

// Find returns a method by slug, in any case, and method name, and false when
// there is none. An empty method means the standalone tool itself.
func (r *Registry) Find(slug, method string) (*Descriptor, bool) {
	i, ok := r.bySlug[fold(slug)]
	if !ok {
		return nil, false
	}
	group := &r.groups[i]
	for _, d := range group.Methods {
		if d.Method == method || group.Standalone && method == "" {
			return d, true
		}
	}
	return nil, false
}

// Group returns an entry by slug, in any case, and false when there is none.
func (r *Registry) Group(slug string) (Group, bool) {
	i, ok := r.bySlug[fold(slug)]
	if !ok {
		return Group{}, false
	}
	return r.groups[i].copied(), true
}

// Groups returns all entries, sorted by slug. The slices are the caller's.
func (r *Registry) Groups() []Group {
	groups := make([]Group, len(r.groups))
	for i, group := range r.groups {
		groups[i] = group.copied()
	}
	return groups
}

// copied returns the group with a slice of methods that a caller may sort.
func (g Group) copied() Group {
	g.Methods = slices.Clone(g.Methods)
	return g
}

// Rejections returns the entries that were refused, sorted by slug.
func (r *Registry) Rejections() []Rejection { return slices.Clone(r.rejections) }
