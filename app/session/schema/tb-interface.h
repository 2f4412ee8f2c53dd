/* tb-interface.h: a network interface of a recording: index, name, link speed and addresses
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TbInterface:
 * @host: host
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

G_END_DECLS
