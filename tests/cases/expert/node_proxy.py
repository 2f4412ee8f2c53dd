"""Node behind a proxy."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import services
from harness.expert import Answer, ExpertCase
from harness.processes import answers, await_true

PROGRAM = """
const http = require("http");

function price(seed) {
  let value = seed;
  const end = Date.now() + 40;
  while (Date.now() < end)
    for (let i = 0; i < 10000; i++)
      value = (value * 1103515245 + 12345) % 2147483648;
  return value;
}

http.createServer((request, response) => {
  response.end(String(price(7)) + "\\n");
}).listen(8090, "127.0.0.1");
"""


class NodeProxy(ExpertCase):
    name = "node-proxy"
    title = "curl asks Node through nginx, 60 times"
    answer = Answer(
        sentence="Node's main thread computes each answer (price) for 40 ms: curl, and nginx in "
                 "between, wait for that.",
        kinds=("computing",), names={"process": "node"}, amount="node ran")

    def prepare(self, stage):
        stage.write("price.js", PROGRAM)
        stage.serve("/usr/bin/node", "--perf-basic-prof", "price.js", address=8090)
        services.start_nginx(stage, "location / { proxy_pass http://127.0.0.1:8090; }")
        await_true(lambda: answers(8080), "nginx")

    def command(self, stage):
        return ["curl", "-sS", "--fail", "-o", "/dev/null", "http://127.0.0.1:8080/[1-60]"]

    def facts(self, truth, measures):
        return {"node ran": truth.running("node")}

    def proof(self, facts, truth):
        return [("Node runs for 85 % of the time", facts["node ran"] >= 0.85 * truth.wall_ns)]


CASES = [NodeProxy()]
