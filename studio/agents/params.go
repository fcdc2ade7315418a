package agents

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// maxParams is the largest configuration without its secrets, in bytes of its
// canonical form.
const maxParams = 64 << 10

// proposal is what somebody wants stored instead of what is: only what they
// sent, since a default that is stored would no longer follow its type.
type proposal struct {
	params canon.Value // in normal form, without the secrets
	bytes  string      // the same, canonical
	kept   map[string]models.SealedSecret
	fresh  map[string]hosttools.Secret
}

// empty reports whether nothing is to be stored.
func (p proposal) empty() bool { return p.params.Len() == 0 && len(p.kept) == 0 && len(p.fresh) == 0 }

// asks reports whether what was sent has a value for a parameter. A secret is
// removed by null and by "".
func (k *kit) asks(sent canon.Value, name string) bool {
	value, given := sent.Get(name)
	removes := value.Kind() == canon.KindNull || value.Kind() == canon.KindString && value.Str() == ""
	return given && (!k.secret(name) || !removes)
}

// refuseManaged refuses parameters that only the server sets.
func (k *kit) refuseManaged(sent canon.Value) error {
	managed := k.config.Managed(namesOf(sent))
	if len(managed) == 0 {
		return nil
	}
	return models.Errorf(models.CodeServerManaged, "The server sets these parameters itself; leave them out: %s.",
		quoted(managed)).With("params", managed)
}

// propose checks what was sent, with the secrets that are stored at its place.
func (k *kit) propose(sent canon.Value, stored map[string]models.SealedSecret) (proposal, []schema.Issue) {
	p := proposal{kept: map[string]models.SealedSecret{}, fresh: map[string]hosttools.Secret{}}
	if sent.Kind() != canon.KindObject {
		return p, []schema.Issue{{Message: "must be an object with named parameters"}}
	}
	var issues []schema.Issue
	var plain []canon.Member
	for _, member := range sent.Members() {
		if k.secret(member.Name) {
			issues = append(issues, k.proposeSecret(&p, member, stored)...)
			continue
		}
		if !legible(member.Value) {
			issues = append(issues, issue(member.Name, "holds a control character, or one that changes the direction of text"))
		}
		plain = append(plain, member)
	}
	object, err := canon.ObjectOf(plain...)
	if err != nil {
		return p, []schema.Issue{{Message: "has names that cannot be told apart"}}
	}
	normal, unfit := k.sent.Normalise(object)
	p.params, issues = normal, append(unfit, issues...)
	if len(issues) > 0 {
		return p, issues
	}
	bytes, err := canon.Bytes(normal)
	if err != nil || len(bytes) > maxParams {
		return p, []schema.Issue{{Message: fmt.Sprintf("may have at most %d bytes", maxParams)}}
	}
	p.bytes = string(bytes)
	return p, nil
}

// proposeSecret keeps, removes or replaces a secret. What it says never
// contains the value.
func (k *kit) proposeSecret(p *proposal, member canon.Member, stored map[string]models.SealedSecret) []schema.Issue {
	name, value := member.Name, member.Value.Str()
	switch member.Value.Kind() {
	case canon.KindNull:
		return nil
	case canon.KindString:
	default:
		return []schema.Issue{issue(name, "must be text")}
	}
	switch {
	case value == "":
		return nil
	case value == Mask:
		sealed, ok := stored[name]
		if !ok {
			return []schema.Issue{issue(name, "has no stored value to keep")}
		}
		p.kept[name] = sealed
		return nil
	case len(value) > maxSecret:
		return []schema.Issue{issue(name, fmt.Sprintf("may have at most %d bytes", maxSecret))}
	case !legible(member.Value):
		return []schema.Issue{issue(name, "holds a control character, or one that changes the direction of text")}
	}
	_, unfit := k.secrets[name].Normalise(member.Value)
	for i := range unfit {
		unfit[i].Pointer = issue(name, "").Pointer + unfit[i].Pointer
	}
	p.fresh[name] = hosttools.NewSecret(value)
	return unfit
}

// legible reports whether all texts inside a value are fit to be stored and
// shown, the names of members too.
func legible(v canon.Value) bool {
	for _, item := range v.Items() {
		if !legible(item) {
			return false
		}
	}
	for _, member := range v.Members() {
		if !legible(canon.String(member.Name)) || !legible(member.Value) {
			return false
		}
	}
	return utf8.ValidString(v.Str()) && !strings.ContainsFunc(v.Str(), hiddenRune)
}

// invalidParams returns the error for issues, with a sentence that names them.
func invalidParams(issues []schema.Issue) error {
	return models.Errorf(models.CodeInvalidParams, "These settings do not fit: %s.", schema.Sentence(issues)).
		With("issues", issues)
}

// changed returns the names of the parameters that a proposal changes, sorted,
// with the secrets marked. It never has a value.
func (p proposal) changed(was canon.Value, secrets map[string]models.SealedSecret) []string {
	names := map[string]bool{}
	for _, name := range append(namesOf(was), namesOf(p.params)...) {
		before, had := was.Get(name)
		after, has := p.params.Get(name)
		if had != has || !canon.Equal(before, after) {
			names[name] = true
		}
	}
	for name := range secrets {
		if _, kept := p.kept[name]; !kept {
			names[name+" (secret)"] = true
		}
	}
	for name := range p.fresh {
		names[name+" (secret)"] = true
	}
	return slices.Sorted(maps.Keys(names))
}

func namesOf(object canon.Value) []string {
	names := make([]string, 0, object.Len())
	for _, member := range object.Members() {
		names = append(names, member.Name)
	}
	return names
}

// quoted lists names, which may be the sender's, for a sentence.
func quoted(names []string) string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, fmt.Sprintf("%.100q", name))
	}
	return strings.Join(list, ", ")
}
