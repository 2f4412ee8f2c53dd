/* tb-agent-refusals.c: backends that are not used, with the reasons, in the header of the stream
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
