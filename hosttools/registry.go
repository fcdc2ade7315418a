package hosttools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Host is what a host offers.
type Host struct {
	// Prefix starts every slug, and ends in "_": "fs_".
	Prefix string
	// Tools maps slugs to constructors.
	Tools map[string]Constructor
}

// Rejection says which entry was refused, why, and what to do about it.
type Rejection struct {
	Slug   string
	Reason string
}

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
}

// Registry is the single look-up for tools. It is built once and read-only, so
// it may be used from any goroutine.
type Registry struct {
	groups     []Group
	byName     map[string]*Descriptor
	rejections []Rejection
}

// NewRegistry checks every entry of a host and keeps the good ones. An entry
// that breaks a rule is left out and listed in [Registry.Rejections]; it never
// stops the others (contract 1, section 1).
func NewRegistry(host Host) *Registry {
	r := &Registry{byName: map[string]*Descriptor{}}
	for _, slug := range slices.Sorted(maps.Keys(host.Tools)) {
		if err := r.register(host, slug); err != nil {
			r.rejections = append(r.rejections, Rejection{Slug: slug, Reason: err.Error()})
		}
	}
	return r
}

// register adds one entry, or says what is wrong with it.
func (r *Registry) register(host Host, slug string) error {
	if err := r.checkSlug(host.Prefix, slug); err != nil {
		return err
	}
	build := host.Tools[slug]
	instance, err := construct(build)
	if err != nil {
		return err
	}
	prefix := strings.TrimRight(host.Prefix, "_")
	if !instance.standalone && instance.kit.Prefix != prefix {
		return fmt.Errorf("the toolkit's prefix is %q and must be %q, the host's without its underscores",
			instance.kit.Prefix, prefix)
	}
	group, err := r.group(slug, instance)
	if err != nil {
		return err
	}
	for _, d := range group.Methods {
		d.build = build
		r.byName[d.Name] = d
	}
	r.groups = append(r.groups, group)
	return nil
}

func (r *Registry) checkSlug(prefix, slug string) error {
	if strings.TrimRight(prefix, "_") == "" || !strings.HasSuffix(prefix, "_") {
		return fmt.Errorf("the host's prefix %q must be a name that ends in an underscore, such as \"fs_\"", prefix)
	}
	if !strings.HasPrefix(slug, prefix) || slug == prefix {
		return fmt.Errorf("the slug must start with the host's prefix %q and go on", prefix)
	}
	if !validName(slug) {
		return fmt.Errorf("the slug may have lower-case letters, digits and underscores only, at most %d", maxName)
	}
	return nil
}

// group describes all methods of an entry and checks that their names are new.
func (r *Registry) group(slug string, instance Instance) (Group, error) {
	group := Group{
		Slug: slug, Title: instance.kit.Title, Description: instance.kit.Description,
		Standalone: instance.standalone, Origin: OriginHost, Version: instance.kit.Version,
	}
	if len(instance.kit.Methods) == 0 {
		return group, fmt.Errorf("it offers no methods")
	}
	seen := map[string]bool{}
	for i := range instance.kit.Methods {
		d, err := describe(slug, instance, &instance.kit.Methods[i])
		if err != nil {
			return group, err
		}
		d.Name = slug
		if !instance.standalone {
			d.Name = instance.kit.Prefix + "_" + d.Method
		}
		if err := r.checkName(d, seen); err != nil {
			return group, err
		}
		seen[d.Name] = true
		group.TenantBound = group.TenantBound || d.TenantBound
		group.Methods = append(group.Methods, d)
	}
	// One bound method binds the whole group: its instance is shared by them.
	for _, d := range group.Methods {
		d.TenantBound = group.TenantBound
	}
	slices.SortFunc(group.Methods, func(a, b *Descriptor) int { return strings.Compare(a.Name, b.Name) })
	return group, nil
}

func (r *Registry) checkName(d *Descriptor, seen map[string]bool) error {
	if d.Method == "" {
		return fmt.Errorf("a method has no name; give NewMethod one")
	}
	if !validName(d.Name) {
		return fmt.Errorf("the name %q may have lower-case letters, digits and underscores only, at most %d", d.Name, maxName)
	}
	if d.Standalone && d.Method != d.Slug {
		return fmt.Errorf("the method of a standalone tool is named %q and must be named as its slug", d.Method)
	}
	if seen[d.Name] {
		return fmt.Errorf("two methods are named %q", d.Method)
	}
	if other := r.byName[d.Name]; other != nil {
		return fmt.Errorf("models would see the name %q twice, of %s and of %s", d.Name, other.Slug, d.Slug)
	}
	return nil
}

// maxName is the longest name that all model providers take.
const maxName = 64

func validName(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// Lookup returns the method that models know by name, and false when there is
// none.
func (r *Registry) Lookup(name string) (*Descriptor, bool) {
	d, ok := r.byName[name]
	return d, ok
}

// Find returns a method by slug and method name, and false when there is none.
// An empty method means the standalone tool itself.
func (r *Registry) Find(slug, method string) (*Descriptor, bool) {
	group, ok := r.Group(slug)
	if !ok {
		return nil, false
	}
	for _, d := range group.Methods {
		if d.Method == method || group.Standalone && method == "" {
			return d, true
		}
	}
	return nil, false
}

// Group returns an entry by slug, and false when there is none.
func (r *Registry) Group(slug string) (Group, bool) {
	i, ok := slices.BinarySearchFunc(r.groups, slug, func(g Group, s string) int { return strings.Compare(g.Slug, s) })
	if !ok {
		return Group{}, false
	}
	return r.groups[i], true
}

// Groups returns all entries, sorted by slug. The slice is the caller's.
func (r *Registry) Groups() []Group { return slices.Clone(r.groups) }

// Rejections returns the entries that were refused, sorted by slug.
func (r *Registry) Rejections() []Rejection { return slices.Clone(r.rejections) }
