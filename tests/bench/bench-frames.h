/* bench-frames.h: frame times of a moving window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Moves something; called before each frame. */
typedef void (*BenchStep) (gpointer data, guint frame);

/* Runs the main loop until the condition is met; exits with an error after a while. */
typedef gboolean (*BenchCondition) (gpointer data);
void bench_wait (BenchCondition condition, gpointer data, const char *what);

/* Prints the column headings of bench_frames(). */
void bench_frames_heading (const char *title);
/* Paints frames of a window, with one step before each, and prints their times. Of several runs,
 * the one with the lowest 99th percentile is printed. Only frames count after which the X server's
 * picture of the window has changed. The time of a frame is from before-paint to after-paint; its
 * work is the CPU time of this thread since the previous frame: input, hit tests, layout, painting.
 * A calibration loop paints a picture as large as the window onto another; ratios are to that loop,
 * in the same run. Returns whether the 99th percentile is below the limit (ms) and enough frames
 * moved. */
gboolean bench_frames (const char *name,
                       GtkWidget *window,
                       guint n_runs,
                       double limit,
                       BenchStep step,
                       gpointer data);

/* Prints the given times (double, ms), and whether the longest is below the limit. work: the part
 * of them that is CPU time of this thread, or NULL. */
gboolean bench_times (const char *name, GArray *times, GArray *work, double limit);

/* CPU time of this thread in µs. */
gint64 bench_cpu_time (void);

/* Time from now to the end of the next painted frame, in ms. */
double bench_time_frame (GtkWidget *window);

/* The first mapped widget with that type name. */
GtkWidget *bench_find (GtkWidget *root, const char *type_name);

/* Input through the X server, as from a mouse: moves the pointer to a place of a widget; presses
 * and releases a button (4 and 5: wheel up and down), with or without Ctrl. */
void bench_point (GtkWidget *widget, double x, double y);
void bench_click (GtkWidget *widget, guint button, gboolean with_control);

G_END_DECLS
