//go:build linux

// Command demo shows in a minute what Lorimer is for: two hooks, written once, obeyed by the real Claude Code and the real pi.
//
//	make demo                        installs the two agents if need be, builds, and runs this
//	go run ./e2e/demo [--keep]       the same from anywhere in the checkout
//
// It makes a scratch project, runs `lorimer materialize` in it, and lets each agent work there for a prompt, in a network
// namespace whose only interface is loopback, against a fake model, with dummy keys. Nothing that it prints is made up: it
// comes from what the fake model was asked, from the log that the hooks write, and from the file system. If any of it did not
// happen, it says so and exits 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lorimer-dev/lorimer/e2e/rig"
)

// agents are the two that the demo runs.
var agents = []*rig.Host{rig.Claude, rig.Pi}

func main() {
	keep := flag.Bool("keep", false, "keep the scratch project, and say where it is")
	flag.Parse()
	p := newPrinter(os.Stdout)
	if err := run(p, *keep); err != nil {
		p.failure(err)
		os.Exit(1)
	}
}

// run fetches and builds outside the sandbox; it is started again inside it, and shows the story there.
func run(p *printer, keep bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	dir, err := fetch(ctx, p, filepath.Join(root, "e2e"))
	if err != nil {
		return err
	}
	install, bin, err := rig.Ready(ctx, root, dir, agents...)
	if err != nil {
		return err
	}
	return show(p, install, bin, keep)
}

// moduleRoot walks up from the working directory to the checkout.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "e2e", "package-lock.json")); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is not in a checkout of Lorimer: found no e2e/package-lock.json above it", dir)
		}
	}
}

// show runs the story with each host in turn, in one project.
func show(p *printer, install rig.Install, bin string, keep bool) (err error) {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	stories := make([]*story, len(agents))
	for i, h := range agents {
		stories[i] = newStory(h)
	}
	world, err := rig.New(rig.Config{Install: install, Bin: bin, Host: agents[0], Script: stories[0].script(), YAML: yaml(), Files: files()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done(p, world, keep)) }()

	p.title("Two hooks, written once, obeyed by two real agents.")
	p.text("Both run offline: loopback is the only network interface, a fake model answers, the keys are dummies.")
	p.file("lorimer.yaml", yaml())
	p.file("hooks/no-rm", files()["hooks/no-rm"])
	p.file("hooks/tests-first", files()["hooks/tests-first"])
	out, err := world.Lorimer(ctx, "materialize", ".")
	if err != nil {
		return err
	}
	p.command("lorimer materialize .", out)

	for i, s := range stories {
		r := world
		if i > 0 {
			if r, err = world.Also(s.host, s.script()); err != nil {
				return err
			}
		}
		err := s.tell(ctx, p, r, s.host.Version(install))
		if i > 0 {
			err = errors.Join(err, r.Stop())
		}
		if err != nil {
			return err
		}
	}
	p.title(fmt.Sprintf("The same two files, twice obeyed. %.1f s.", time.Since(begin).Seconds()))
	return nil
}

// done ends everything, and removes the project unless it is to be kept.
func done(p *printer, world *rig.Rig, keep bool) error {
	if !keep {
		return world.Close()
	}
	p.text("kept: " + world.Clone)
	return world.Stop()
}
