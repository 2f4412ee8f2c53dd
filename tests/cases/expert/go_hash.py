"""A program in Go with one busy goroutine."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase

PROGRAM = """package main

import (
	"crypto/sha512"
	"fmt"
	"sync"
)

func main() {
	blocks := make(chan []byte)
	var done sync.WaitGroup
	done.Add(1)
	go func() { // all blocks are hashed by one goroutine
		defer done.Done()
		sum := sha512.New()
		for block := range blocks {
			sum.Write(block)
		}
		fmt.Printf("%x\\n", sum.Sum(nil))
	}()
	for i := 0; i < 1200; i++ {
		block := make([]byte, 1<<20)
		block[0] = byte(i)
		blocks <- block
	}
	close(blocks)
	done.Wait()
}
"""


class GoHash(ExpertCase):
    name = "go-hash"
    title = "a Go program that hashes blocks, all in one goroutine"
    answer = Answer(
        sentence="One goroutine computes SHA-512 all the time; the other only waits to hand it "
                 "the next block.",
        kinds=("computing",), names={"process": "hasher", "function": "sha512"},
        amount="hasher ran")

    def prepare(self, stage):
        stage.write("hasher.go", PROGRAM)
        stage.environment.update(GOCACHE=stage.path("go-cache"), GOPATH=stage.path("go"),
                                 GO111MODULE="off", CGO_ENABLED="0")
        stage.run("go", "build", "-o", "hasher", "hasher.go")

    def command(self, stage):
        return [stage.path("hasher")]

    def facts(self, truth, measures):
        return {"hasher ran": truth.running("hasher")}

    def proof(self, facts, truth):
        return [("hasher runs for 80 % of the time", facts["hasher ran"] >= 0.8 * truth.wall_ns),
                ("and hardly on two CPUs at once", facts["hasher ran"] <= 1.4 * truth.wall_ns)]


CASES = [GoHash()]
