/* tb-wait-json.h: result of the analysis wait-graph as JSON: vertices with CPU holders, edges with
 * locks and stacks, components, bottlenecks, devices, work, proposals
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

JsonNode *tb_wait_result_to_json (const TbWaitResult *self);

G_END_DECLS
