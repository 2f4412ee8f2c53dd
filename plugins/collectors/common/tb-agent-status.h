/* tb-agent-status.h: STATUS records of tailback-agent as sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-message.h"
#include "tb-export.h"

G_BEGIN_DECLS

/* In the user's language; "" for one without a code. (transfer full) */
TB_EXPORT char *tb_agent_status_describe (const TbCaptureRecord *record);
/* What stands in the place of one %s of its sentence; NULL: it has fewer. (transfer full) */
TB_EXPORT char *tb_agent_status_describe_part (const TbCaptureRecord *record, guint index);
/* The same of a message, as in the header. Without the probe that a STATUS record is about. */
char *tb_agent_message_describe (const TbCaptureMessage *message);

G_END_DECLS
