/* tb-interface.h: the interfaces of the network that a recording tells of
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-recorder.h"
#include "session/tb-session.h"

G_BEGIN_DECLS

/**
 * TbInterface:
 * @index: the kernel's number of it on its host
 * @name: the kernel's name ("eth0")
 * @speed: of its link, bits a second each way; 0: it has none, or does not tell
 * @omitted: how many addresses it has beyond @addresses
 * @addresses: (array zero-terminated=1): "192.0.2.1", "2001:db8::1", … as inet_ntop() writes them
 *
 * An interface of the network as it was when the recording began.
 */
typedef struct
{
  guint32 host;
  guint32 index;
  const char *name;
  guint64 speed;
  guint omitted;
  const char *const *addresses;
} TbInterface;

/* NULL: the recording does not tell of them. By host and index; ids are not used. */
TB_EXPORT const TbInterface *tb_session_get_interfaces (TbSession *self, guint *n_interfaces);
/* An interface of the network, as it was when the recording began; told of again, the last counts. */
TB_EXPORT void tb_recorder_add_interface (TbRecorder *self, const TbInterface *interface);

G_END_DECLS
