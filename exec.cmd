@rem What `exec` is to the scripts of package.json on Windows, where only the command itself can be run.
@%*
