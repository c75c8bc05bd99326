package materialize

import (
	"reflect"
	"testing"

	"github.com/lorimer-dev/lorimer/internal/config"
	"github.com/lorimer-dev/lorimer/internal/harness"
)

// One of the host's events that is several of ours is hooked once, and fails closed where one of them has to.
func TestEachOfTheHostsEventsIsHookedOnce(t *testing.T) {
	after := config.Subscription{Binding: harness.Binding{Event: harness.PostToolUse, Host: "after"}}
	failure := config.Subscription{Binding: harness.Binding{Event: harness.PostToolUseFailure, Host: "after", Others: []string{"failure"}}, FailClosed: true}
	for _, c := range []struct {
		subs []config.Subscription
		want []entry
	}{
		{[]config.Subscription{after}, []entry{{"after", false}}},
		{[]config.Subscription{failure}, []entry{{"after", true}, {"failure", true}}},
		{[]config.Subscription{after, failure}, []entry{{"after", true}, {"failure", true}}},
	} {
		if got := entriesOf(c.subs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}
