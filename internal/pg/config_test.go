package pg

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConfig_SessionSettings(t *testing.T) {
	t.Parallel()
	ours := map[string]string{
		"application_name":                    "rowlock",
		"idle_in_transaction_session_timeout": "2s",
		"client_connection_check_interval":    "500ms",
		"tcp_keepalives_idle":                 "1",
		"tcp_keepalives_interval":             "1",
		"tcp_keepalives_count":                "2",
		"tcp_user_timeout":                    "3000",
		"jit":                                 "off",
		"max_parallel_workers_per_gather":     "0",
		"synchronous_commit":                  "on",
		"TimeZone":                            "UTC",
	}
	with := func(changes map[string]string) map[string]string {
		all := map[string]string{}
		for name, value := range ours {
			all[name] = value
		}
		for name, value := range changes {
			if all[name] = value; value == "" {
				delete(all, name)
			}
		}
		return all
	}
	for _, test := range []struct {
		name    string
		config  Config
		without map[string]bool
		want    map[string]string
	}{
		{name: "defaults", config: Config{URL: "postgres://h/d"}, want: ours},
		{
			name:   "the application's name",
			config: Config{URL: "postgres://h/d?application_name=x", ApplicationName: "y"},
			want:   with(map[string]string{"application_name": "y"}),
		},
		{
			name:   "the URL wins",
			config: Config{URL: "host=h synchronous_commit=remote_apply application_name=x"},
			want:   with(map[string]string{"synchronous_commit": "remote_apply", "application_name": "x"}),
		},
		{
			name:    "a server that cannot check connections",
			config:  Config{URL: "postgres://h/d"},
			without: map[string]bool{"client_connection_check_interval": true},
			want:    with(map[string]string{"client_connection_check_interval": ""}),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config, err := test.config.pool(test.without)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, config.ConnConfig.RuntimeParams); diff != "" {
				t.Errorf("session settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfig_ConnectTimeout(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		config Config
		want   time.Duration
	}{
		{"default", Config{URL: "postgres://h/d"}, 5 * time.Second},
		{"the URL's", Config{URL: "postgres://h/d?connect_timeout=7"}, 7 * time.Second},
		{"ours before the URL's", Config{URL: "postgres://h/d?connect_timeout=7", ConnectTimeout: time.Second}, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config, err := test.config.pool(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := config.ConnConfig.ConnectTimeout; got != test.want {
				t.Errorf("connect timeout is %s, want %s", got, test.want)
			}
		})
	}
}

func TestConfig_Validate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		config Config
		valid  bool
	}{
		{"a URL", Config{URL: "postgres://h/d"}, true},
		{"no URL", Config{}, false},
		{"not a URL", Config{URL: "postgres://h:port/d"}, false},
		{"a negative limit", Config{URL: "postgres://h/d", MaxConns: -1}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := test.config.Validate(); (err == nil) != test.valid {
				t.Errorf("Validate says %v", err)
			}
		})
	}
}

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number, name string
		want         error
	}{
		{"140012", "14.12", ErrServerTooOld},
		{"150000", "15.0", nil},
		{"180001", "18.1", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := checkVersion(test.number, test.name); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}
