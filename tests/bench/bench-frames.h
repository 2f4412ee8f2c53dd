/* bench-frames.h: how long frames take in which something moves
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Moves something, before each frame. */
typedef void (*BenchStep) (gpointer data, guint frame);

/* Runs the main loop until the condition is met; gives up with an error. */
typedef gboolean (*BenchCondition) (gpointer data);
void bench_wait (BenchCondition condition, gpointer data, const char *what);

/* Prints the line above those of bench_frames(). */
void bench_frames_heading (const char *title);
/* Paints frames of a window in each of which a step was made, of several runs the one with the least 99th percentile, and
 * prints them. Only those count after which the X server has another picture of the window than before. A frame's time is from before-paint to after-paint; its work is all that this thread did since the frame
 * before: input, hit tests, layout, painting. Beside them a loop that paints a picture as large as the window onto another:
 * ratios are to that, in the same run. Returns whether the 99th percentile is below the limit (ms) and enough frames moved. */
gboolean
bench_frames (const char *name, GtkWidget *window, guint n_runs, double limit, BenchStep step, gpointer data);

/* Prints the times (double, ms) that something took, and whether the longest is below the limit; work: of them the cpu time
 * of this thread, or NULL. */
gboolean bench_times (const char *name, GArray *times, GArray *work, double limit);

/* The cpu time of this thread, µs. */
gint64 bench_cpu_time (void);

/* From now to the end of the next frame that is painted, ms. */
double bench_time_frame (GtkWidget *window);

/* The first widget of that type name that is mapped. */
GtkWidget *bench_find (GtkWidget *root, const char *type_name);

/* As with a mouse, by the X server: the pointer goes to a place of a widget; a button is pressed and released (4 and 5: the
 * wheel goes up and down), with Ctrl held or not. */
void bench_point (GtkWidget *widget, double x, double y);
void bench_click (GtkWidget *widget, guint button, gboolean with_control);

G_END_DECLS
