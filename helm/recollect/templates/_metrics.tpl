{{/* Who may read /metrics, as an entry of a NetworkPolicy's ingress. */}}
{{- define "recollect.metricsIngress" -}}
{{- if .Values.metrics.enabled -}}
- from:
    {{- if .Values.metrics.from }}
    {{- toYaml .Values.metrics.from | nindent 4 }}
    {{- else }}
    - podSelector: {}
    {{- end }}
  ports:
    - {protocol: TCP, port: metrics}
{{- end -}}
{{- end -}}

{{/* The components of this release that have a port of metrics, as a YAML list. */}}
{{- define "recollect.metricsComponents" -}}
{{- if or (eq .Values.mode "gateway") .Values.agent.enabled }}
- {{ .Values.mode }}
{{- end }}
{{- if .Values.worker.enabled }}
- worker
{{- end }}
{{- end -}}

{{/* What marks the Services of metrics, and nothing else. */}}
{{- define "recollect.metricsLabels" -}}
app.kubernetes.io/name: {{ include "recollect.name" . }}-metrics
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
