// Reads docker-compose.dev.yml and the Tiltfile as Docker Compose and Tilt do, with the parsers that they use, and prints
// what they declare as JSON. Tilt's functions record their calls; one that Tilt does not have, or an argument that it
// does not know, is an error.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The functions that the Tiltfile may call with their parameters, as in Tilt's API reference (https://docs.tilt.dev/api).
var functions = map[string][]string{
	"docker_compose":   {"configPaths", "env_file?", "project_name?", "profiles?", "wait?"},
	"dc_resource":      {"name", "trigger_mode?", "resource_deps?", "links?", "labels?", "auto_init?"},
	"http_get_action":  {"port", "host?", "scheme?", "path?"},
	"link":             {"url", "name?"},
	"version_settings": {"check_updates?", "constraint?"},
	"probe": {"initial_delay_secs?", "timeout_secs?", "period_secs?", "success_threshold?", "failure_threshold?",
		"exec?", "http_get?", "tcp_socket?"},
	"local_resource": {"name", "cmd?", "deps?", "trigger_mode?", "resource_deps?", "ignore?", "auto_init?", "serve_cmd?",
		"cmd_bat?", "serve_cmd_bat?", "allow_parallel?", "links?", "tags?", "env?", "serve_env?", "readiness_probe?", "dir?",
		"serve_dir?", "labels?"},
}

type call struct {
	Function  string         `json:"function"`
	Arguments map[string]any `json:"arguments"`
}

func main() {
	compose, tiltfile := os.Args[1], os.Args[2]
	services, err := servicesOf(compose)
	if err != nil {
		fail(compose, err)
	}
	calls, err := callsOf(tiltfile)
	if err != nil {
		fail(tiltfile, err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"services": services, "calls": calls}); err != nil {
		fail("result", err)
	}
}

func servicesOf(path string) ([]string, error) {
	options, err := cli.NewProjectOptions([]string{path})
	if err != nil {
		return nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return nil, err
	}
	return project.ServiceNames(), nil
}

func callsOf(path string) ([]call, error) {
	calls := []call{}
	known := starlark.StringDict{}
	for name, parameters := range functions {
		known[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
			named []starlark.Tuple) (starlark.Value, error) {
			arguments, err := bind(b.Name(), parameters, args, named)
			if err != nil {
				return nil, err
			}
			plain, err := toPlain(arguments)
			if err != nil {
				return nil, err
			}
			calls = append(calls, call{b.Name(), plain.(map[string]any)})
			return arguments, nil
		})
	}
	// As Tilt sets it: loops and conditions at the top, names given anew.
	dialect := &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true, While: false, Recursion: false}
	_, err := starlark.ExecFileOptions(dialect, &starlark.Thread{Name: path}, path, nil, known)
	return calls, err
}

func bind(name string, parameters []string, args starlark.Tuple, named []starlark.Tuple) (*starlark.Dict, error) {
	values := make([]starlark.Value, len(parameters))
	pairs := make([]any, 0, 2*len(parameters))
	for i, parameter := range parameters {
		pairs = append(pairs, parameter, &values[i])
	}
	if err := starlark.UnpackArgs(name, args, named, pairs...); err != nil {
		return nil, err
	}
	result := starlark.NewDict(len(parameters))
	for i, parameter := range parameters {
		if values[i] == nil {
			continue
		}
		if parameter[len(parameter)-1] == '?' {
			parameter = parameter[:len(parameter)-1]
		}
		if err := result.SetKey(starlark.String(parameter), values[i]); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func toPlain(value starlark.Value) (any, error) {
	switch value := value.(type) {
	case starlark.String:
		return string(value), nil
	case starlark.Bool:
		return bool(value), nil
	case starlark.Int:
		whole, _ := value.Int64()
		return whole, nil
	case *starlark.List:
		items := make([]any, value.Len())
		for i := range items {
			item, err := toPlain(value.Index(i))
			if err != nil {
				return nil, err
			}
			items[i] = item
		}
		return items, nil
	case *starlark.Dict:
		fields := map[string]any{}
		for _, pair := range value.Items() {
			field, err := toPlain(pair[1])
			if err != nil {
				return nil, err
			}
			key, ok := starlark.AsString(pair[0])
			if !ok {
				return nil, fmt.Errorf("%s is not a string", pair[0])
			}
			fields[key] = field
		}
		return fields, nil
	}
	return nil, fmt.Errorf("%s is of type %s", value, value.Type())
}

func fail(path string, err error) {
	if broken, ok := err.(*starlark.EvalError); ok {
		err = fmt.Errorf("%s", broken.Backtrace())
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
	os.Exit(1)
}
