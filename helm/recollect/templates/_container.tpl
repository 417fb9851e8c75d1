{{/* The Recollect container, in both modes and for workers; callers add probes and lifecycle. */}}
{{- define "recollect.container" -}}
name: recollect
image: {{ include "recollect.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
args: [{{ ternary "worker" "serve" (eq (include "recollect.component" .) "worker") }}]
env:
  {{- include "recollect.env" . | nindent 2 }}
{{- with .Values.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
resources:
  {{- toYaml (ternary .Values.worker.resources .Values.resources (eq (include "recollect.component" .) "worker")) | nindent 2 }}
volumeMounts:
  - {name: recollect-config, mountPath: /etc/recollect, readOnly: true}
  - {name: recollect-data, mountPath: {{ include "recollect.dataDir" . | quote }}}
  - {name: recollect-tmp, mountPath: /tmp}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The port of /metrics, as an entry of a container's ports. */}}
{{- define "recollect.metricsContainerPort" -}}
{{- if .Values.metrics.enabled -}}
- {name: metrics, containerPort: {{ include "recollect.metricsPort" . }}, protocol: TCP}
{{- end -}}
{{- end -}}

{{/* The image sets data_dir and listen.host in its environment, which overrides the file: set them again. */}}
{{- define "recollect.env" -}}
- {name: RECOLLECT_CONFIG, value: /etc/recollect/config.yaml}
- {name: RECOLLECT_DATA_DIR, value: {{ include "recollect.dataDir" . | quote }}}
- {name: ORT_DISABLE_TELEMETRY, value: "1"}
{{- if eq (include "recollect.component" .) "worker" }}
# A worker answers no requests: on loopback in personal mode it needs no token and no hash key.
- {name: RECOLLECT_LISTEN__HOST, value: "127.0.0.1"}
- {name: RECOLLECT_IDENTITY__MODE, value: personal}
{{- else }}
- {name: RECOLLECT_LISTEN__HOST, value: {{ include "recollect.host" . | quote }}}
# The image's own defaults are for containers without this chart.
- {name: RECOLLECT_IDENTITY__MODE, value: {{ dig "identity" "mode" (ternary "gateway" "personal" (eq .Values.mode "gateway")) .Values.config | quote }}}
- {name: RECOLLECT_IDENTITY__DEFAULT_USER_IN_GATEWAY, value: {{ dig "identity" "default_user_in_gateway" false .Values.config | quote }}}
{{- end }}
{{- include "recollect.secretEnv" . }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "recollect.secretEnv" -}}
{{- $secret := .Values.secret.existingSecret -}}
{{- $keys := .Values.secret.keys -}}
{{- $names := dict
      "RECOLLECT_LEARN__LLM__API_KEY" $keys.llmApiKey
      "RECOLLECT_INDEX__URI" $keys.indexUri
      "RECOLLECT_DATABASE__URL" $keys.databaseUrl
      "RECOLLECT_REDIS__URL" $keys.redisUrl -}}
{{- if eq (include "recollect.component" .) "gateway" -}}
{{- $_ := set $names "RECOLLECT_API__TOKEN" $keys.apiToken -}}
{{- $_ := set $names "RECOLLECT_IDENTITY__HASH_KEY" $keys.identityHashKey -}}
{{- end -}}
{{- range $name, $key := $names }}
{{- if and $secret $key }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {name: {{ $secret | quote }}, key: {{ $key | quote }}}
{{- end }}
{{- end }}
{{- end -}}

{{/* The pod volumes that recollect.container mounts. */}}
{{- define "recollect.volumes" -}}
- name: recollect-config
  configMap:
    name: {{ include "recollect.fullname" . }}
- name: recollect-data
  {{- if and .Values.persistence.enabled (ne (include "recollect.component" .) "worker") }}
  persistentVolumeClaim:
    claimName: {{ include "recollect.claimName" . }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: recollect-tmp
  emptyDir:
    sizeLimit: {{ .Values.tmpSizeLimit }}
{{- end -}}
