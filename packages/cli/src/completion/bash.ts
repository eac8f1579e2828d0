import type { CompletedCommand } from './command-table.ts';
import { anyOf, commandPlaces, placeOf, quoted, type ValueOption, valueOptions } from './patterns.ts';

/** A script for bash 3.2 and later. It needs no other package. */
export function bashCompletion(table: readonly CompletedCommand[]): string {
  const valued = valueOptions(table);
  return `# Completion of watchword for bash. Made by "watchword completion bash".
_watchword() {
  local at= word= previous= index offered=
  for ((index = 1; index <= COMP_CWORD; index++)); do
    # bash makes three words of --name=value.
    [[ \${COMP_WORDS[index]} == = ]] && continue
    previous=$word
    word=\${COMP_WORDS[index]}
    ((index == COMP_CWORD)) && break
    case "$at $previous" in
      ${anyOf(valued.map(({ place }) => place))}) continue ;;
    esac
    case "$at $word" in
      ${anyOf(commandPlaces(table))}) at="$at $word" ;;
    esac
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == = ]] && previous=$word word=
  if [[ $word != -* ]]; then
    case "$at $previous" in
${valued.map(completeValue).join('\n')}
    esac
  fi
  case "$at" in
${table.map(offer).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
}
complete -F _watchword watchword
`;
}

function completeValue({ place, values, takesFile }: ValueOption): string {
  const source = takesFile ? '-f' : `-W ${quoted(values.join(' '))}`;
  return `      ${quoted(place)}) COMPREPLY=($(compgen ${source} -- "$word")); return ;;`;
}

function offer({ path, commands, options, values, takesFile }: CompletedCommand): string {
  const words = [...values, ...commands.map(({ name }) => name), ...options.map(({ name }) => name)];
  const files = '[[ $word == -* ]] || { COMPREPLY=($(compgen -f -- "$word")); return; }; ';
  return `    ${quoted(placeOf(path))}) ${takesFile ? files : ''}offered=${quoted(words.join(' '))} ;;`;
}
