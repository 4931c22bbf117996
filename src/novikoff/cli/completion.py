"""`novikoff completion`: what makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      novikoff completion bash >> ~/.bashrc
      novikoff completion zsh >> ~/.zshrc
      novikoff completion fish > ~/.config/fish/completions/novikoff.fish
    """
    script = get_completion_class(shell)
    root = context.find_root().command
    if script is not None:
        click.echo(script(root, {}, "novikoff", "_NOVIKOFF_COMPLETE").source())
