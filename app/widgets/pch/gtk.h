/* gtk.h: precompiled header for GTK rooms and their tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Without it each file takes a third of a second to read these headers.
 */

#pragma once

#include <adwaita.h>
