/* cli.h: what the commands of tailback-cli share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/tb-temporary-folder.h"
#include "tailback.h"

G_BEGIN_DECLS

typedef enum
{
  CLI_SUCCESS = 0,
  CLI_FAILURE = 1,
  CLI_USAGE = 2,
} CliStatus;

#define CLI_ERROR (cli_error_quark ())
GQuark cli_error_quark (void);

typedef enum
{
  CLI_ERROR_USAGE,
  CLI_ERROR_FAILED,
  CLI_ERROR_INTERRUPTED,
  CLI_ERROR_CLOSED, /* standard output is a pipe that nobody reads any more */
  CLI_ERROR_HELP,   /* --help was answered: nothing is wrong, and nothing more to do */
} CliError;

typedef struct
{
  const char *name;
  const char *parameters; /* after the options, for the help */
  const char *summary;
  gboolean (*run) (char **arguments, GError **error); /* arguments[0]: the command's name */
} CliCommand;

extern const CliCommand cli_command_analyze;
extern const CliCommand cli_command_compare;
extern const CliCommand cli_command_export;
extern const CliCommand cli_command_import;
extern const CliCommand cli_command_info;
extern const CliCommand cli_command_list;
extern const CliCommand cli_command_record;
extern const CliCommand cli_command_report;

/* cli-options.c: reading the command line */

/* Takes what it knows from the arguments; the rest is in *rest (g_strfreev). --help is answered and fails with
 * CLI_ERROR_HELP. */
gboolean cli_parse (const CliCommand *command,
                    const GOptionEntry *entries,
                    gboolean options_first,
                    char **arguments,
                    char ***rest,
                    GError **error);
gboolean cli_usage_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Exactly so many arguments that are no options. */
gboolean cli_expect (char **rest, guint n, const char *what, GError **error);
/* The id is asked for where it is NULL. */
TbAnalysis *cli_create_analysis (const char *id, GError **error);
/* K=V… */
gboolean cli_set_options (gpointer plugin, char **options, GError **error);

typedef struct
{
  char *from;
  char *to;
  char **processes;
  char **threads;
} CliSelection;

#define CLI_SELECTION_ENTRIES(selection)                                                                     \
  { "from",                                                                                                  \
    0,                                                                                                       \
    0,                                                                                                       \
    G_OPTION_ARG_STRING,                                                                                     \
    &(selection).from,                                                                                       \
    N_ ("Only from this time on: ns of the session's clock, or +12.5ms from its start"),                     \
    N_ ("T") },                                                                                              \
      { "to", 0, 0, G_OPTION_ARG_STRING, &(selection).to, N_ ("Only up to this time"), N_ ("T") },           \
      { "process",                                                                                           \
        0,                                                                                                   \
        0,                                                                                                   \
        G_OPTION_ARG_STRING_ARRAY,                                                                           \
        &(selection).processes,                                                                              \
        N_ ("Only this process: pid, exact name or id; repeatable"),                                         \
        N_ ("P") },                                                                                          \
  {                                                                                                          \
    "thread", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(selection).threads,                                         \
        N_ ("Only this thread: tid, exact name or id; repeatable"), N_ ("T")                                 \
  }

void cli_selection_clear (CliSelection *selection);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSelection, cli_selection_clear)

/* What is asked of an analysis, and where the answer goes. */
typedef struct
{
  char *analysis;
  char *format;
  char *output;
  char **options;
  char *values; /* of analyses: of which option values are listed instead, NULL none */
  gboolean shall_keep;
  char *normalize; /* of comparisons: by what recordings are made alike, NULL by the rule of the analysis */
  CliSelection selection;
} CliQuestion;

/* The options of a command that runs one analysis; *rest becomes what is left, the format is always set. */
gboolean cli_question_parse (CliQuestion *question,
                             const CliCommand *command,
                             char **arguments,
                             char ***rest,
                             GError **error);
/* The analysis with its options set; what is wrong with the command line is told before any file is read. */
TbAnalysis *cli_question_prepare (const CliQuestion *question, gboolean shall_compare, GError **error);
void cli_question_clear (CliQuestion *question);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliQuestion, cli_question_clear)
/* Its times can be checked before any file is opened. */
gboolean cli_selection_check (const CliSelection *selection, GError **error);
TbSelection *cli_selection_make (const CliSelection *selection, TbTrace *trace, GError **error);

/* cli-values.c: values of options that a recording has to choose from, and those that are kept with it */

/* Before any file is read. */
gboolean cli_check_values (const CliQuestion *question, TbAnalysis *analysis, GError **error);
gboolean cli_check_keep (const CliQuestion *question, TbAnalysis *analysis, GError **error);
gboolean cli_write_values (const CliQuestion *question,
                           TbAnalysis *analysis,
                           TbTrace *trace,
                           TbSelection *selection,
                           GError **error);
/* Those given that belong to a recording, with it. */
gboolean cli_keep_options (const CliQuestion *question, TbAnalysis *analysis, TbTrace *trace, GError **error);

/* cli-signals.c: the end of the program by Ctrl-C, SIGTERM, SIGHUP or a closed pipe */

typedef void (*CliSignalFunc) (gpointer data);

/* In the beginning, before there are threads. SIGPIPE is ignored from then on. */
void cli_signals_install (void);
/* Until the end of the watch the first SIGINT, SIGTERM or SIGHUP has func called in the main
 * loop; the second ends the program at once, as the first one does without a watch. Temporary
 * files are removed before. Watches do not nest. */
void cli_signals_watch (CliSignalFunc func, gpointer data);
void cli_signals_unwatch (void);
/* Removes temporary files and ends the program by the signal. Async-signal-safe. */
_Noreturn void cli_signals_end (int number);
/* Whether whoever started the program wants an error where a pipe is closed, not an end by
 * SIGPIPE. */
gboolean cli_signals_pipe_was_ignored (void);

/* cli-work.c: long work in a thread, with progress on a terminal, cancelled by signals */

typedef gboolean (*CliWorkFunc) (gpointer data, GCancellable *cancellable, GError **error);

gboolean cli_work (CliWorkFunc func, gpointer data, GError **error);
/* A TbProgressFunc. */
void cli_progress (double share, const char *what, gpointer data);
void cli_progress_line (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_progress_clear (void);
void cli_warn (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Columns of standard output, 0 where it is no terminal. */
guint cli_get_width (void);

/* cli-file.c: opening what is analysed, writing what was found */

typedef struct
{
  TbTrace *trace;
  TbTemporaryFolder *temporary; /* of the session made of a file that is none; removed in the end */
} CliFile;

void cli_file_close (CliFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliFile, cli_file_close)
/* A session or anything an importer reads. Functions that have no name yet get one where shall_name is set or the file was
 * imported. */
gboolean cli_file_open (CliFile *file, const char *path, gboolean shall_name, GError **error);
gboolean cli_is_session (GFile *file);
/* What a command line names as input; what comes through a pipe becomes a file first, so that it can be looked at before it is
 * read. */
GFile *cli_open_input (const char *path, GError **error);
/* A message about such a file, with the name the user gave it. */
char *cli_restore_names (const char *text);
/* Reads a foreign file into a new session. */
gboolean cli_import (GFile *input, TbImporter *importer, GFile *output, gboolean overwrite, GError **error);
/* Names all addresses of a session and stores what is derived from it, as far as the file can be written. */
gboolean cli_complete_session (GFile *file, GError **error);
/* The session's and the trace's, each once, on stderr. */
void cli_print_warnings (TbTrace *trace);

/* On standard output, in UTF-8 whatever the locale. */
void cli_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Whether standard output turned out to be a pipe that nobody reads any more. */
gboolean cli_is_output_closed (void);
/* Takes the cause of why standard output cannot be written, which becomes CLI_ERROR_CLOSED where
 * it is a closed pipe. */
void cli_propagate_output_error (GError **error, GError *cause);
/* To the file, or to standard output where path is NULL or "-". */
gboolean cli_write (const char *path, const char *data, gssize length, GError **error);
gboolean cli_write_json (const char *path, JsonNode *node, GError **error);
/* format: "text", "json", "html" or an exporter of reports. */
gboolean cli_write_report (TbReport *report, const char *format, const char *path, GError **error);
gboolean cli_check_format (const char *format, GError **error);

G_END_DECLS
