/* tb-agent-skeletons.h: declarations for light skeletons, without the warnings of foreign
 * headers
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
