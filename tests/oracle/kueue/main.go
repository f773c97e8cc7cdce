// Command oracle runs the scheduler of Kueue in process on scenarios written as JSON and prints its decisions.
package main

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

func usage() {
	fmt.Fprintln(os.Stderr, `usage: oracle VERB [flags] [files]
  decide    play scenarios (JSON Lines on stdin or in files, or one .json/.yaml file) and print the decisions
  generate  print random scenarios
  stats     say how often each kind of decision occurs in results
  compare   compare two files of results
  podsets   print the Workloads that Kueue makes of job objects
  bench     measure the scheduling cycle and the topology placement
Every verb explains its flags with -h.`)
	os.Exit(2)
}

func main() {
	testing.Init()
	if len(os.Args) < 2 {
		usage()
	}
	verb := os.Args[1]
	args := os.Args[2:]
	fs := flag.NewFlagSet(verb, flag.ExitOnError)
	verbs := map[string]func(*flag.FlagSet, []string) error{
		"decide":   cmdDecide,
		"podsets":  cmdPodsets,
		"generate": cmdGenerate,
		"stats":    cmdStats,
		"compare":  cmdCompare,
		"bench":    cmdBench,
	}
	run, ok := verbs[verb]
	if !ok {
		usage()
	}
	ctrl.SetLogger(logr.Discard())
	// The testing package only needs its flags parsed, not given.
	_ = flag.CommandLine.Parse(nil)
	match := func(string, string) (bool, error) { return true, nil }
	testing.Main(match, []testing.InternalTest{{Name: "oracle", F: func(t *testing.T) {
		theT = t
		switch err := run(fs, args); {
		case err == nil:
			os.Exit(0)
		case err == errDifferent:
			os.Exit(1)
		default:
			fmt.Fprintln(os.Stderr, "oracle:", err)
			os.Exit(2)
		}
	}}}, nil, nil)
}
