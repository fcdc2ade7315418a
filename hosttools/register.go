package hosttools

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// candidate is an entry that asks to be registered.
type candidate struct {
	slug   string
	origin Origin
	build  Constructor
}

// builder fills a registry.
type builder struct {
	host Host
	r    *Registry
}

func (b *builder) addSet(set Set) {
	for _, slug := range slices.Sorted(maps.Keys(set.Tools)) {
		if set.Origin != OriginBuiltin && set.Origin != OriginPackaged {
			b.reject(slug, fmt.Sprintf("a set comes built in or packaged, not as %q; a host's own tools go to Host.Tools", set.Origin))
			continue
		}
		b.add(candidate{slug: slug, origin: set.Origin, build: set.Tools[slug]})
	}
}

// addLegacy takes the entries of a host without a registry (contract 1, section
// 1, rule 3). They have no prefix rule, and shadow nothing.
func (b *builder) addLegacy() {
	if len(b.host.Legacy) == 0 {
		return
	}
	b.host.Logger.Warn("Host.Legacy is deprecated; declare the toolkits in Host.Tools", "entries", len(b.host.Legacy))
	for i, build := range b.host.Legacy {
		place := fmt.Sprintf("Legacy[%d]", i)
		instance, err := tried(build)
		if err != nil {
			b.reject(place, err.Error())
			continue
		}
		slug := instance.kit.Prefix
		if instance.standalone {
			slug = instance.kit.Methods[0].name
		}
		if slug == "" {
			b.reject(place, "it has no prefix that could be its slug; declare it in Host.Tools")
			continue
		}
		b.add(candidate{slug: slug, origin: OriginWalk, build: build})
	}
}

// refuseUnused refuses config defaults that belong to no entry. Those of an
// entry that was refused need no further word.
func (b *builder) refuseUnused() {
	for _, slug := range slices.Sorted(maps.Keys(b.host.Config)) {
		at, taken := b.r.bySlug[fold(slug)]
		registered := taken && b.r.groups[at].Slug == slug
		refused := slices.ContainsFunc(b.r.rejections, func(r Rejection) bool { return r.Slug == slug })
		if !registered && !refused {
			b.reject(slug, "there are config defaults for it, and no such entry")
		}
	}
}

// reject leaves an entry out, and says so once.
func (b *builder) reject(slug, reason string) {
	rejection := Rejection{Slug: slug, Reason: reason}
	b.r.rejections = append(b.r.rejections, rejection)
	b.host.Logger.Error("a toolkit was refused", "slug", rejection.Slug, "reason", rejection.Reason)
}

func (b *builder) add(c candidate) {
	if err := b.register(c); err != nil {
		b.reject(c.slug, b.place(c)+err.Error())
	}
}

// place says where the host's file has a candidate, "" where it is no file's.
func (b *builder) place(c candidate) string {
	if c.origin != OriginHost {
		return ""
	}
	return b.host.lines[c.slug]
}

// register adds one entry, or says what is wrong with it.
func (b *builder) register(c candidate) error {
	if wrong := b.host.wrong[c.slug]; wrong != "" && c.origin == OriginHost {
		return errors.New(wrong)
	}
	if err := b.checkSlug(c); err != nil {
		return err
	}
	instance, err := tried(c.build)
	if err != nil {
		return err
	}
	if err := b.checkPrefix(c, instance); err != nil {
		return err
	}
	group, err := b.group(c, instance)
	if err != nil {
		return err
	}
	for _, d := range group.Methods {
		b.r.byName[d.Name], b.r.folded[fold(d.Name)] = d, d
	}
	b.r.bySlug[fold(c.slug)] = len(b.r.groups)
	b.r.groups = append(b.r.groups, group)
	return nil
}

func (b *builder) checkSlug(c candidate) error {
	prefix := b.host.Prefix
	if c.origin == OriginHost {
		if strings.TrimRight(prefix, "_") == "" || !strings.HasSuffix(prefix, "_") {
			return fmt.Errorf("the host's prefix %q must be a name that ends in an underscore, such as \"fs_\"", prefix)
		}
		if !strings.HasPrefix(c.slug, prefix) || c.slug == prefix {
			return fmt.Errorf("the slug must start with the host's prefix %q and go on", prefix)
		}
	}
	if !validName(c.slug) {
		return fmt.Errorf("the slug %s", nameRule)
	}
	if at, taken := b.r.bySlug[fold(c.slug)]; taken {
		other := b.r.groups[at]
		return fmt.Errorf("the slug is taken by %s (%s); slugs differ in more than their case", other.Slug, other.Origin)
	}
	return nil
}

func (b *builder) checkPrefix(c candidate, instance *Instance) error {
	if instance.standalone {
		return nil
	}
	if want := strings.TrimRight(b.host.Prefix, "_"); c.origin == OriginHost && instance.kit.Prefix != want {
		return fmt.Errorf("the toolkit's prefix is %q and must be %q, the host's without its underscores",
			instance.kit.Prefix, want)
	}
	if !validName(instance.kit.Prefix) {
		return fmt.Errorf("the toolkit's prefix %q %s", instance.kit.Prefix, nameRule)
	}
	return nil
}

// group describes all methods of an entry and checks that their names are new.
func (b *builder) group(c candidate, instance *Instance) (Group, error) {
	group := Group{
		Slug: c.slug, Title: instance.kit.Title, Description: instance.kit.Description,
		Standalone: instance.standalone, Origin: c.origin, Version: instance.kit.Version,
		TenantBound: instance.kit.TenantBound,
	}
	if len(instance.kit.Methods) == 0 {
		return group, errors.New("it offers no methods")
	}
	seen := map[string]bool{}
	for i := range instance.kit.Methods {
		d, err := describe(c.slug, instance, &instance.kit.Methods[i])
		if err != nil {
			return group, err
		}
		d.Name = c.slug
		if !instance.standalone {
			d.Name = instance.kit.Prefix + "_" + d.Method
		}
		if err := b.checkName(d, seen); err != nil {
			return group, err
		}
		seen[fold(d.Name)] = true
		group.TenantBound = group.TenantBound || d.TenantBound
		group.Methods = append(group.Methods, d)
	}
	slices.SortFunc(group.Methods, func(a, b *Descriptor) int { return strings.Compare(a.Name, b.Name) })
	return group, b.complete(&group, c, instance)
}

// complete gives the methods what they share: the config, and the binding, since
// one bound method binds the instance that serves them all.
func (b *builder) complete(group *Group, c candidate, instance *Instance) error {
	config, err := configSchema(instance.kit, b.host.App, b.defaults(c))
	if err != nil {
		return err
	}
	if config != nil {
		if err := freshConfig(c.build, instance); err != nil {
			return err
		}
	}
	group.Config = config
	kit := &blueprint{build: c.build, config: config, app: b.host.App, bound: group.TenantBound}
	for _, d := range group.Methods {
		d.TenantBound, d.Config, d.Origin, d.kit = group.TenantBound, config, c.origin, kit
		if err := d.refuseRemote(); err != nil {
			return err
		}
	}
	return nil
}

// defaults returns the host's defaults for a candidate. Those of an entry that
// the host declares itself are not for one that comes before it.
func (b *builder) defaults(c candidate) map[string]any {
	if _, own := b.host.Tools[c.slug]; own && c.origin != OriginHost {
		return nil
	}
	return b.host.Config[c.slug]
}

// refuseRemote refuses a remote executor where it could not keep a promise.
func (d *Descriptor) refuseRemote() error {
	switch {
	case !d.remote:
		return nil
	case d.TenantBound:
		return fmt.Errorf("method %q has a remote executor, which a tenant-bound toolkit cannot have: "+
			"outside of this process nothing guards its tenant", d.Method)
	case d.Transactional && d.Access == AccessWrite:
		return fmt.Errorf("method %q has a remote executor, which a transactional toolkit cannot have for its writes: "+
			"outside of this process there is no transaction", d.Method)
	default:
		return nil
	}
}

// freshConfig refuses a constructor that gives every instance the same config,
// through which tenants would see each other's settings.
func freshConfig(build Constructor, first *Instance) error {
	second, err := tried(build)
	if err != nil {
		return err
	}
	if reflect.TypeOf(second.kit.Config) == reflect.TypeOf(first.kit.Config) &&
		reflect.ValueOf(second.kit.Config).Pointer() == reflect.ValueOf(first.kit.Config).Pointer() &&
		reflect.TypeOf(first.kit.Config).Elem().Size() > 0 {
		return errors.New("every instance has the same Config, so tenants would share their settings; " +
			"make a new one in the constructor")
	}
	return nil
}

func (b *builder) checkName(d *Descriptor, seen map[string]bool) error {
	if d.Method == "" {
		return errors.New("a method has no name; give NewMethod one")
	}
	if !validName(d.Name) {
		return fmt.Errorf("the name %q %s", d.Name, nameRule)
	}
	if d.Standalone && d.Method != d.Slug {
		return fmt.Errorf("the method of a standalone tool is named %q and must be named as its slug", d.Method)
	}
	folded := fold(d.Name)
	if seen[folded] {
		return fmt.Errorf("two methods are named %q", d.Method)
	}
	if other := b.r.folded[folded]; other != nil {
		return fmt.Errorf("models would see the name %q twice, of %s and of %s", d.Name, other.Slug, d.Slug)
	}
	return nil
}

// finish sorts the registry, and finds the slugs' places anew.
func (b *builder) finish() *Registry {
	slices.SortFunc(b.r.groups, func(a, b Group) int { return strings.Compare(a.Slug, b.Slug) })
	for i, group := range b.r.groups {
		b.r.bySlug[fold(group.Slug)] = i
	}
	slices.SortStableFunc(b.r.rejections, func(a, b Rejection) int { return strings.Compare(a.Slug, b.Slug) })
	return b.r
}
