/* cli.h: functions shared by the commands of tailback-cli: options, signals, long operations, input
 * and output files, values of options, debuginfod; list of the commands
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "session/file/tb-temporary-folder.h"
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
  CLI_ERROR_CLOSED, /* standard output is a pipe without a reader */
  CLI_ERROR_HELP,   /* --help was printed: no failure, and nothing more to do */
} CliError;

typedef struct
{
  const char *name;
  const char *parameters; /* after the options, for the help */
  const char *summary;
  char *(*describe) (void); /* (nullable): text after the options in the help; (transfer full) */
  gboolean without_debug_files; /* has no options about debug files from servers */
  gboolean (*run) (char **arguments, GError **error); /* arguments[0]: the name of the command */
} CliCommand;

extern const CliCommand cli_command_analyze;
extern const CliCommand cli_command_check_plugin;
extern const CliCommand cli_command_compare;
extern const CliCommand cli_command_export;
extern const CliCommand cli_command_import;
extern const CliCommand cli_command_info;
extern const CliCommand cli_command_list;
extern const CliCommand cli_command_new_plugin;
extern const CliCommand cli_command_record;
extern const CliCommand cli_command_report;

/* cli-options.c: parsing of the command line */

/* Parses the options of a command; *rest gets the other arguments (g_strfreev). --help is printed
 * and fails with CLI_ERROR_HELP. */
gboolean cli_parse (const CliCommand *command,
                    const GOptionEntry *entries,
                    gboolean options_first,
                    char **arguments,
                    char ***rest,
                    GError **error);
gboolean cli_usage_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The error that no plug-in of a kind was named by the option; it lists those that can be. */
gboolean cli_missing_plugin (const char *option, const char *kind, GError **error);
/* Fails unless there are exactly n arguments that are not options. */
gboolean cli_expect (char **rest, guint n, const char *what, GError **error);
/* Fails with a usage error if id is NULL. */
TbAnalysis *cli_create_analysis (const char *id, GError **error);
/* Sets options given as K=V. */
gboolean cli_set_options (gpointer plugin, char **options, GError **error);

typedef struct
{
  char *from;
  char *to;
  char **processes;
  char **threads;
  char *scope;
} CliSelection;

#define CLI_SELECTION_ENTRIES(selection)                                                           \
  { "from",                                                                                        \
    0,                                                                                             \
    0,                                                                                             \
    G_OPTION_ARG_STRING,                                                                           \
    &(selection).from,                                                                             \
    N_ ("Start of the range: ns of the session clock, or +12.5ms from the start"),                 \
    N_ ("T") },                                                                                    \
      { "to", 0, 0, G_OPTION_ARG_STRING, &(selection).to, N_ ("End of the range"), N_ ("T") },     \
      { "process",                                                                                 \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING_ARRAY,                                                                 \
        &(selection).processes,                                                                    \
        N_ ("Only this process: PID, exact name or ID; repeatable"),                               \
        N_ ("P") },                                                                                \
      { "thread",                                                                                  \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_STRING_ARRAY,                                                                 \
        &(selection).threads,                                                                      \
        N_ ("Only this thread: TID, exact name or ID; repeatable"),                                \
        N_ ("T") },                                                                                \
  {                                                                                                \
    "scope", 0, 0, G_OPTION_ARG_STRING, &(selection).scope,                                        \
        N_ ("Threads of this scope: command (the default: the recorded command and what worked "   \
            "for it), system or all (with the recorder)"),                                         \
        N_ ("SCOPE")                                                                               \
  }

void cli_selection_clear (CliSelection *selection);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliSelection, cli_selection_clear)

/* The command line of a command that runs an analysis. */
typedef struct
{
  char *analysis;
  char *format;
  char *output;
  char **options;
  /* of analyze: name of the option whose values are listed, without a run; NULL: none */
  char *values;
  gboolean store_options;
  /* of compare: how recordings are normalized; NULL: the default of the analysis */
  char *normalize;
  CliSelection selection;
} CliAnalysisArgs;

/* Parses the options of a command that runs one analysis. *rest gets the remaining arguments; the
 * format is always set. */
gboolean cli_analysis_args_parse (CliAnalysisArgs *args,
                                  const CliCommand *command,
                                  char **arguments,
                                  char ***rest,
                                  GError **error);
/* Creates the analysis with its options. Errors in the command line are reported before any file is
 * read. */
TbAnalysis *cli_analysis_args_create_analysis (const CliAnalysisArgs *args,
                                               gboolean is_comparison,
                                               GError **error);
void cli_analysis_args_clear (CliAnalysisArgs *args);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliAnalysisArgs, cli_analysis_args_clear)
/* Checks the syntax of the times before any file is opened. */
gboolean cli_selection_check (const CliSelection *selection, GError **error);
TbSelection *cli_selection_make (const CliSelection *selection, TbTrace *trace, GError **error);

/* cli-values.c: option values found in a recording, and options stored with it */

/* Called before any file is read. */
gboolean cli_check_values (const CliAnalysisArgs *args, TbAnalysis *analysis, GError **error);
gboolean cli_check_keep (const CliAnalysisArgs *args, TbAnalysis *analysis, GError **error);
gboolean cli_write_values (const CliAnalysisArgs *args,
                           TbAnalysis *analysis,
                           TbTrace *trace,
                           TbSelection *selection,
                           GError **error);
/* Stores those of the given options that belong to a recording in its session. */
gboolean cli_store_options (const CliAnalysisArgs *args,
                            TbAnalysis *analysis,
                            TbTrace *trace,
                            GError **error);

/* cli-signals.c: end of the program by Ctrl-C, SIGTERM, SIGHUP or a closed pipe */

typedef void (*CliSignalFunc) (gpointer data);

/* Called at the start, before there are threads. SIGPIPE is ignored from then on. */
void cli_signals_install (void);
/* Starts a watch, which ends at cli_signals_unwatch(). During it, the first SIGINT, SIGTERM or
 * SIGHUP calls func in the main loop; the second ends the program at once, as the first does
 * without a watch. Temporary files are removed before the program ends. Watches do not nest. */
void cli_signals_watch (CliSignalFunc func, gpointer data);
void cli_signals_unwatch (void);
/* Removes temporary files and ends the program by the signal. Async-signal-safe. */
_Noreturn void cli_signals_end (int number);
/* Returns TRUE if the program was started with SIGPIPE ignored: a closed pipe is then an error, not
 * an end by SIGPIPE. */
gboolean cli_signals_pipe_was_ignored (void);

/* cli-memory.c */
void cli_memory_set_up (void);
/* Before what will need much memory. */
void cli_memory_prepare (void);

/* cli-work.c: long operations in a thread, with progress on a terminal, cancelled by signals */

typedef gboolean (*CliWorkFunc) (gpointer data, GCancellable *cancellable, GError **error);

gboolean cli_work (CliWorkFunc func, gpointer data, GError **error);

/* A TbProgressFunc that shows the progress on a terminal. */
void cli_progress (double share, const char *what, gpointer data);
void cli_progress_line (const char *format, ...) G_GNUC_PRINTF (1, 2);
void cli_progress_clear (void);
void cli_warn (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Returns the number of columns of standard output, 0 if it is not a terminal. */
guint cli_get_width (void);

/* cli-plugin-work.c: long operations of a plug-in: what it prints goes to the error output, and it
 * cannot end the program with success */

gboolean cli_work_of (gpointer plugin, CliWorkFunc func, gpointer data, GError **error);
/* The ID of the plug-in that works; NULL: none. From any thread. */
const char *cli_work_get_plugin (void);
/* Standard output of the program, also while a plug-in works. */
int cli_output_get_descriptor (void);

/* cli-modules.c: parts that are loaded at their first use */

/* Called once, when the program starts. */
void cli_modules_install (void);

/* cli-debuginfod.c: debug files from debuginfod servers, if the command line asks for them */

/* The options of all commands that symbolize. */
const GOptionEntry *cli_debuginfod_get_entries (void);
/* Called after parsing. */
gboolean cli_debuginfod_check (GError **error);
gboolean cli_debuginfod_is_enabled (void);
/* Receives the files that the session needs and this machine does not have, if this is enabled.
 * What is not received is a warning. */
gboolean cli_debuginfod_receive (TbSession *session, GCancellable *cancellable, GError **error);

/* cli-file.c: input files and output of the commands */

typedef struct
{
  TbTrace *trace;
  /* folder of the session made from an imported file; removed by cli_file_close() */
  TbTemporaryFolder *temporary;
} CliFile;

void cli_file_close (CliFile *file);
/* At the end of a command that succeeded: leaves an imported file and what was made of it to the
 * end of the process, which frees memory faster as a whole than piece by piece. Its session is not
 * saved. The folder is removed. */
void cli_file_leave (CliFile *file, GObject *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliFile, cli_file_close)
/* Opens a session or any file that an importer reads. Functions without a name are symbolized if
 * symbolize is set or the file was imported. */
gboolean cli_file_open (CliFile *file, const char *path, gboolean symbolize, GError **error);
gboolean cli_is_session (GFile *file);
/* Returns the input file named on the command line. Data from a pipe are first copied to a file, so
 * that they can be sniffed before they are read. */
GFile *cli_open_input (const char *path, GError **error);
/* Replaces the paths of such copies in a message by the names that the user gave. */
char *cli_restore_names (const char *text);
/* Imports a file of another tool into a new session, symbolizes all its addresses and stores its
 * derived data. */
gboolean
cli_import (GFile *input, TbImporter *importer, GFile *output, gboolean overwrite, GError **error);
/* Symbolizes all addresses of a session and stores its derived data, as far as the file is
 * writable. */
gboolean cli_complete_session (GFile *file, GError **error);
/* Prints the warnings of the session and of the trace to stderr, each once. */
void cli_print_warnings (TbTrace *trace);

/* Prints to standard output, in UTF-8 in any locale. */
void cli_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Returns TRUE if standard output is a pipe without a reader. */
gboolean cli_is_output_closed (void);
/* Takes the error of a failed write to standard output. It becomes CLI_ERROR_CLOSED if standard
 * output is a closed pipe. */
void cli_propagate_output_error (GError **error, GError *cause);
/* Writes to the file, or to standard output if path is NULL or "-". */
gboolean cli_write (const char *path, const char *data, gssize length, GError **error);
gboolean cli_write_json (const char *path, JsonNode *node, GError **error);
/* format: "text", "json", "html" or the id of an exporter of reports. */
gboolean cli_write_report (TbReport *report, const char *format, const char *path, GError **error);
gboolean cli_check_format (const char *format, GError **error);

G_END_DECLS
