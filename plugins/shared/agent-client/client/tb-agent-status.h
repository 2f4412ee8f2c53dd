/* tb-agent-status.h: STATUS records and messages of tailback-agent as translated sentences, with
 * their arguments filled in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-message.h"
#include "base/tb-export.h"

G_BEGIN_DECLS

/* (transfer full): in the user's language; "" for a record without a code */
TB_EXPORT char *tb_agent_status_describe (const TbCaptureRecord *record);
/* (transfer full): the text of one %s of the sentence; NULL: it has fewer */
TB_EXPORT char *tb_agent_status_describe_part (const TbCaptureRecord *record, guint index);
/* The same for a message, as in the header, which has no probe */
char *tb_agent_message_describe (const TbCaptureMessage *message);

G_END_DECLS
