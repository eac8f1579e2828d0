import type { CompletedCommand, Described } from './command-table.ts';
import { anyOf, commandPlaces, placeOf, quoted, type ValueOption, valueOptions } from './patterns.ts';

/** A script for zsh with its completion system. It can be sourced, or be a file `_watchword` in `fpath`. */
export function zshCompletion(table: readonly CompletedCommand[]): string {
  const valued = valueOptions(table);
  return `#compdef watchword
# Completion of watchword for zsh. Made by "watchword completion zsh".
_watchword() {
  local at= word= previous= index
  local -a commands options
  for ((index = 2; index < CURRENT; index++)); do
    previous=$word
    word=$words[index]
    case "$at $previous" in
      (${anyOf(valued.map(({ place }) => place))}) continue ;;
    esac
    case "$at $word" in
      (${anyOf(commandPlaces(table))}) at="$at $word" ;;
    esac
  done
  previous=$word
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ $PREFIX != -* ]]; then
    case "$at $previous" in
${valued.map(completeValue).join('\n')}
    esac
  fi
  case "$at" in
${table.map(offer).join('\n')}
  esac
  _describe -t commands command commands
  _describe -o -t options option options
}
if [[ $funcstack[1] == _watchword ]]; then _watchword "$@"; else compdef _watchword watchword; fi
`;
}

function completeValue({ place, values, takesFile }: ValueOption): string {
  const fixed = values.length === 0 ? '' : `compadd -- ${values.map(quoted).join(' ')}; `;
  return `      (${quoted(place)}) ${takesFile ? '_files; ' : fixed}return ;;`;
}

function offer({ path, commands, options, values, takesFile }: CompletedCommand): string {
  const fixed = values.length === 0 ? '' : `compadd -- ${values.map(quoted).join(' ')}; `;
  const offered = `commands=(${described(commands)}) options=(${described(options)})`;
  return `    (${quoted(placeOf(path))}) ${takesFile ? '_files; ' : fixed}${offered} ;;`;
}

/** `name:description` */
function described(words: readonly Described[]): string {
  return words
    .map(({ name, description }) => quoted(`${name.replaceAll(':', '\\\\:')}:${description}`))
    .join(' ');
}
