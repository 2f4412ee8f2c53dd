/* tb-interface.h: network interfaces of a recording: index, name, link speed and addresses of each;
 * functions to record them and to get them from a session
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "session/file/tb-session.h"

G_BEGIN_DECLS

/**
 * TbInterface:
 * @index: the kernel's interface index on its host
 * @name: the kernel's name ("eth0")
 * @speed: link speed in bits per second and direction; 0 if it has none or reports none
 * @n_omitted: number of addresses that are not in @addresses
 * @addresses: (array zero-terminated=1): "192.0.2.1", "2001:db8::1", … as inet_ntop() writes them
 *
 * A network interface at the start of the recording.
 */
typedef struct
{
  guint32 host;
  guint32 index;
  const char *name;
  guint64 speed;
  guint n_omitted;
  const char *const *addresses;
} TbInterface;

/* Sorted by host and index. Interfaces have no ids. NULL if they were not recorded. */
TB_EXPORT const TbInterface *tb_session_get_interfaces (TbSession *self, guint *n_interfaces);
/* A network interface at the start of the recording. If it is added again, the last one counts. */
TB_EXPORT void tb_recorder_add_interface (TbRecorder *self, const TbInterface *interface);

G_END_DECLS
