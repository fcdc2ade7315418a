package schema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentstudio/agentstudio/studio/canon"
)

// objects compiles what a schema says about objects: either the keywords of
// one object, or a choice of objects.
func (c *compiler) objects(n *node, s *jsonschema.Schema, at place) (err error) {
	if s.OneOf == nil {
		n.object, err = c.object(s, at)
		return err
	}
	object, null := kindsOf(canon.KindObject), kindsOf(canon.KindNull)
	switch {
	case n.kinds == allKinds():
		n.kinds, n.refusal = object, "must be an object"
	case n.kinds != object && n.kinds != object|null:
		return at.refuse("oneOf needs the type \"object\"")
	}
	if s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil || n.choices != nil {
		return at.refuse("beside oneOf there can be no properties, required, additionalProperties, enum or const: " +
			"they belong into its branches")
	}
	n.union, err = c.union(s.OneOf, at)
	return err
}

func (c *compiler) object(s *jsonschema.Schema, at place) (*object, error) {
	o := &object{additional: c.anything, properties: make(map[string]*property, len(s.Properties))}
	if s.AdditionalProperties != nil {
		o.additional = nil
	}
	if s.AdditionalProperties != nil && !isFalse(s.AdditionalProperties) {
		additional, err := c.compile(s.AdditionalProperties, at.under("additionalProperties"))
		if err != nil {
			return nil, err
		}
		o.additional = additional
	}
	names := propertyNames(s)
	if err := distinct(names, at); err != nil {
		return nil, err
	}
	for _, name := range names {
		p, err := c.property(s, name, o.additional, at)
		if err != nil {
			return nil, err
		}
		o.properties[name] = p
		if p.isExpected() {
			o.expected = append(o.expected, p)
		}
	}
	o.empty = whenEmpty(o)
	return o, nil
}

// property compiles the property called name. A name that is only required is
// one with the schema of additional members.
func (c *compiler) property(s *jsonschema.Schema, name string, additional *node, at place) (*property, error) {
	p := &property{name: name, node: additional, required: slices.Contains(s.Required, name)}
	inner, ok := s.Properties[name]
	if !ok && additional == nil {
		return nil, at.refuse("%.100q is required, but not among the properties", name)
	}
	if !ok {
		// The default of additional members is not one of a certain member.
		without := *additional
		without.fallback = nil
		p.node = &without
		return p, nil
	}
	compiled, err := c.compile(inner, at.under("properties", name))
	p.node = compiled
	return p, err
}

// propertyNames returns the names of all properties, those in PropertyOrder
// first, then the rest sorted, then those that are only required.
func propertyNames(s *jsonschema.Schema) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range s.PropertyOrder {
		if _, ok := s.Properties[name]; ok {
			add(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		add(name)
	}
	for _, name := range s.Required {
		add(name)
	}
	return names
}

// distinct refuses names that no object can have together.
func distinct(names []string, at place) error {
	members := make([]canon.Member, 0, len(names))
	for _, name := range names {
		members = append(members, canon.Member{Name: name})
	}
	if _, err := canon.ObjectOf(members...); err != nil {
		return at.refuse("the names of properties clash: %w", err)
	}
	return nil
}

// whenEmpty returns what an object without members becomes, or nil if that is
// itself or if something is missing.
func whenEmpty(o *object) *canon.Value {
	none, err := canon.ObjectOf()
	if err != nil {
		return nil
	}
	var w walk
	out, changed := w.object(o, none)
	if len(w.issues) > 0 || !changed {
		return nil
	}
	return &out
}

func (c *compiler) union(branches []*jsonschema.Schema, at place) (*union, error) {
	name, tags, err := discriminator(branches, at)
	if err != nil {
		return nil, err
	}
	u := &union{discriminator: name, branches: make(map[string]*object, len(tags))}
	var values []canon.Value
	for i, tag := range tags {
		n, err := c.compile(branches[i], at.under("oneOf", strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		u.branches[tag] = n.object
		values = append(values, canon.String(tag))
	}
	u.refusal = "must be " + listed(values)
	return u, nil
}

// discriminator returns the name of the first property that tells all branches
// apart, and its text in each of them.
func discriminator(branches []*jsonschema.Schema, at place) (name string, tags []string, err error) {
	for _, branch := range branches {
		if branch == nil || branch.Type != "object" || branch.OneOf != nil {
			return "", nil, at.refuse("every branch of oneOf must be of the type \"object\", and no oneOf itself")
		}
	}
	if len(branches) == 0 {
		return "", nil, at.refuse("oneOf has no branches")
	}
	for _, name := range propertyNames(branches[0]) {
		if tags := tagsOf(branches, name); tags != nil {
			return name, tags, nil
		}
	}
	return "", nil, at.refuse("oneOf needs a discriminator: a property that every branch requires, " +
		"each with its own constant text and without a default")
}

// tagsOf returns the texts that a property has in each branch, or nil if it
// does not tell them apart.
func tagsOf(branches []*jsonschema.Schema, name string) []string {
	var tags []string
	for _, branch := range branches {
		p := branch.Properties[name]
		if p == nil || p.Const == nil || p.Default != nil || !slices.Contains(branch.Required, name) {
			return nil
		}
		tag, ok := (*p.Const).(string)
		if !ok || slices.Contains(tags, tag) {
			return nil
		}
		tags = append(tags, tag)
	}
	return tags
}
