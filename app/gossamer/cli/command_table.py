"""Declares which function runs each command. Its module is imported when the command is run.

So help stays fast, and no command waits for what only another one needs.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from gossamer.cli import parsed_commands as parsed
from gossamer.cli import parsed_notify_commands as notifications
from gossamer.cli import parsed_project_commands as projects
from gossamer.cli import parsed_schedule_commands as schedules
from gossamer.cli import parsed_series_commands as series
from gossamer.cli import parsed_settings_commands as settings
from gossamer.cli import parsed_shard_commands as shards
from gossamer.cli import parsed_table_commands as tables
from gossamer.cli.parsed_search_command import SearchCommand

if TYPE_CHECKING:
    from gossamer.session.crawl_host_pool import CrawlHostPool

FUNCTIONS: Final[Mapping[type[Any], str]] = {
    parsed.CrawlCommand: "crawl_command.crawl",
    parsed.ResumeCommand: "crawl_command.resume",
    parsed.RecrawlCommand: "recrawl_command.recrawl",
    parsed.ImportCommand: "import_command.import_archives",
    tables.ExportCommand: "export_command.export_project",
    tables.SqlCommand: "sql_command.ask_project",
    SearchCommand: "search_command.search_project",
    parsed.InfoCommand: "info_command.show_info",
    parsed.ForgetCommand: "credentials.forget",
    parsed.SecretsCommand: "secrets_command.choose_location",
    parsed.LoginCommand: "login_command.log_in",
    parsed.DemoCommand: "demo_command.demo",
    parsed.CompletionCommand: "shell_completion.show_script",
    projects.ProjectsCommand: "project_commands.list_projects",
    projects.CopyCommand: "project_commands.copy",
    projects.RescueCommand: "project_commands.rescue_project",
    projects.DeleteCommand: "project_commands.delete",
    settings.SettingsCommand: "project_commands.write_settings",
    parsed.CrawlersCommand: "crawler_access_command.show_crawlers",
    parsed.RobotsCommand: "crawler_access_command.try_robots",
    parsed.RedirectsCommand: "redirects_command.check_pairs",
    parsed.CrawlShardsCommand: "shards_command.crawl_in_shards",
    parsed.ResumeShardsCommand: "shards_command.resume_shards",
    shards.MergeCommand: "shards_command.merge_crawl",
    parsed.AuditCommand: "audit_command.audit",
    parsed.BrowserCommand: "browser_command.show_browsers",
    parsed.UpdatesCommand: "update_command.show_updates",
    parsed.MeasureCommand: "measure_command.measure",
    settings.ProfilesCommand: "profile_commands.handle_profiles",
    series.ListSeriesCommand: "series_command.list_series",
    series.ShowSeriesCommand: "series_command.show_series",
    series.RelinkSeriesCommand: "series_relink_command.relink_series",
    series.ForgetSeriesCommand: "series_relink_command.forget_series",
    series.AddNoteCommand: "note_command.add_note",
    series.ListNotesCommand: "note_command.list_notes",
    series.RemoveNoteCommand: "note_command.remove_note",
    parsed.CompareCommand: "compare_command.compare",
    schedules.AddScheduleCommand: "schedule_command.add_schedule",
    schedules.ListSchedulesCommand: "schedule_command.list_schedules",
    schedules.ShowScheduleCommand: "schedule_command.show_schedule",
    schedules.ChangeScheduleCommand: "schedule_command.change_schedule",
    schedules.RunScheduleCommand: "schedule_command.run_schedules",
    notifications.AddRuleCommand: "notify_command.add_rule",
    notifications.EditRuleCommand: "notify_command.edit_rule",
    notifications.SwitchRuleCommand: "notify_command.switch",
    notifications.ListRulesCommand: "notify_command.list_rules",
    notifications.RemoveRuleCommand: "notify_command.remove_rule",
    notifications.TryRuleCommand: "notify_command.try_rule",
    notifications.NotifyAboutCommand: "notify_command.tell",
    notifications.OutboxCommand: "notify_command.show_outbox",
    notifications.DeliverCommand: "notify_command.deliver",
    notifications.RetryCommand: "notify_command.retry",
}
"""By the type of the command: a module of this package and a function in it.

It takes the command, for `Crawling` also the crawl hosts, and returns the exit code.
"""


def run_command(command: parsed.Invocation, hosts: "CrawlHostPool | None") -> int:
    """Run a command and return the exit code. `hosts` are for those that crawl."""
    module, _, name = FUNCTIONS[type(command)].partition(".")
    function = getattr(import_module(f"gossamer.cli.{module}"), name)
    others = (hosts,) if isinstance(command, parsed.Crawling) else ()
    code: int = function(command, *others)
    return code
