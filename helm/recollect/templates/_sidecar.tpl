{{/*
One entry for a pod's initContainers: Recollect as a native sidecar. The containers after it start
when it is ready. Context: this chart's own, so from a parent chart `.Subcharts.recollect`.
*/}}
{{- define "recollect.sidecar" -}}
- {{ include "recollect.container" . | nindent 2 | trim }}
  restartPolicy: Always
  {{- with include "recollect.metricsContainerPort" . }}
  ports:
    {{- . | nindent 4 }}
  {{- end }}
  startupProbe:
    exec: {command: [recollect, health]}
    {{- toYaml .Values.probes.sidecar.startup | nindent 4 }}
  readinessProbe:
    exec: {command: [recollect, health]}
    {{- toYaml .Values.probes.sidecar.readiness | nindent 4 }}
  livenessProbe:
    exec: {command: [recollect, health, --live]}
    {{- toYaml .Values.probes.sidecar.liveness | nindent 4 }}
{{- end -}}

{{/* One env entry for the container that talks to the sidecar. */}}
{{- define "recollect.clientEnv" -}}
- {name: OPENAI_BASE_URL, value: "http://127.0.0.1:{{ include "recollect.port" . }}/v1"}
{{- end -}}
