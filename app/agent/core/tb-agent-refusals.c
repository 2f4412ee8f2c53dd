/* tb-agent-refusals.c: list of the backends that are better than the chosen one, each with the
 * reason why it is not used, in the header of the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/core/tb-agent-private.h"

void
tb_agent_refusals_add (TbAgent *self, TbCaptureBackend backend, const TbCaptureMessage *why)
{
  TbCaptureHeader *header = &self->header;

  header->refusals[header->n_refusals++] = (TbCaptureRefusal) { backend, *why };
}

const TbCaptureMessage *
tb_agent_refusals_get_last (const TbAgent *self)
{
  const TbCaptureHeader *header = &self->header;

  return header->n_refusals > 0 ? &header->refusals[header->n_refusals - 1].message : NULL;
}
