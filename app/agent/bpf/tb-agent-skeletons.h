/* tb-agent-skeletons.h: headers that generated light skeletons (code that loads BPF objects) need,
 * included without their compiler warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#pragma GCC system_header

#include <errno.h>
#include <linux/types.h>
#include <stddef.h>
#include <string.h>

#include <bpf/skel_internal.h>
