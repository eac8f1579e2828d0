{{- define "watchword.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "watchword.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "watchword.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "watchword.selectorLabels" -}}
app.kubernetes.io/name: {{ include "watchword.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "watchword.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "watchword.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "watchword.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "watchword.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "watchword.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The base URL, in parts. A value that the server would refuse is refused before anything is installed. */}}
{{- define "watchword.baseUrl" -}}
{{- $url := required "baseUrl: expected the address under which clients reach the server, such as https://id.example.com" .Values.baseUrl -}}
{{- if not (regexMatch "^https?://[^/?#@]+(/[^?#]*[^/?#])?$" $url) -}}
{{- fail (printf "baseUrl: expected an http(s) URL without query, fragment, user or slash at its end, got %s" $url) -}}
{{- end -}}
{{- $url -}}
{{- end -}}

{{- define "watchword.basePath" -}}
{{- (urlParse (include "watchword.baseUrl" .)).path -}}
{{- end -}}

{{/* The configuration file. What the chart decides takes precedence over `settings`. */}}
{{- define "watchword.configuration" -}}
{{- $metrics := dict "host" "0.0.0.0" "port" .Values.metrics.port -}}
{{- if .Values.metrics.tokenSecret.name -}}
{{- $_ := set $metrics "tokenFile" "/run/secrets/watchword/metrics-token" -}}
{{- end -}}
{{- $decided := dict
      "baseUrl" (include "watchword.baseUrl" .)
      "host" "0.0.0.0"
      "port" 8080
      "databaseUrlFile" "/run/secrets/watchword/database-url"
      "signing" (dict "keyFile" "/run/secrets/watchword/signing-key")
      "metrics" $metrics
-}}
{{- toYaml (mergeOverwrite (deepCopy .Values.settings) $decided) -}}
{{- end -}}

{{/* Of every pod: an unprivileged user without any capability. */}}
{{- define "watchword.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "watchword.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end -}}

{{/* The configuration file, and the secrets that it names. */}}
{{- define "watchword.volumes" -}}
- name: configuration
  configMap:
    name: {{ include "watchword.fullname" . }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .Values.database.urlSecret.name }}
          items:
            - key: {{ .Values.database.urlSecret.key }}
              path: database-url
      - secret:
          name: {{ .Values.signingKeySecret.name }}
          items:
            - key: {{ .Values.signingKeySecret.key }}
              path: signing-key
      {{- if .Values.metrics.tokenSecret.name }}
      - secret:
          name: {{ .Values.metrics.tokenSecret.name }}
          items:
            - key: {{ .Values.metrics.tokenSecret.key }}
              path: metrics-token
      {{- end }}
{{- end -}}

{{/*
Changes with what the secrets of the pods have. Empty where no cluster is asked, as in `helm template`. It has the signing key, so
nobody who reads it can guess the password of the database.
*/}}
{{- define "watchword.secretsChecksum" -}}
{{- $values := list -}}
{{- range list .Values.signingKeySecret .Values.database.urlSecret .Values.metrics.tokenSecret -}}
{{- if .name -}}
{{- $values = append $values (get ((lookup "v1" "Secret" $.Release.Namespace .name).data | default dict) .key) -}}
{{- end -}}
{{- end -}}
{{- if first $values -}}
{{- $values | join "\n" | sha256sum -}}
{{- end -}}
{{- end -}}
