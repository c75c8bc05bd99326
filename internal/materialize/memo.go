package materialize

import "sync"

// memo is what the clones of one run have in common: it is made once, whichever clone asks first. A plan for one clone alone
// does without.
type memo struct{ made sync.Map }

// Share makes what clones have in common be made once for all plans with these options. What is shared does not depend on any
// clone, so a plan is the same with it and without.
func (o *Options) Share() { o.memo = &memo{} }

// once returns what make returned for the key before, or now. The key's type is the caller's own, so that keys of different
// things are never equal. What fails is tried again.
func once[K comparable, V any](s *memo, key K, make func() (V, error)) (V, error) {
	if s == nil {
		return make()
	}
	if v, ok := s.made.Load(key); ok {
		return v.(V), nil
	}
	v, err := make()
	if err == nil {
		s.made.Store(key, v)
	}
	return v, err
}
