{{/* A pod's metadata, in both modes and for workers. Without the chart's version: a new version alone must not restart pods. */}}
{{- define "recollect.podMetadata" -}}
labels:
  {{- include "recollect.selectorLabels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  {{- with .Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/config: {{ include "recollect.configChecksum" . }}
  {{- with .Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* A pod's spec without its containers, in both modes and for workers. */}}
{{- define "recollect.podSpec" -}}
serviceAccountName: {{ include "recollect.serviceAccountName" . }}
automountServiceAccountToken: {{ .Values.serviceAccount.automount }}
# A Service such as "recollect-web" would set RECOLLECT_WEB_PORT and other variables, which Recollect
# takes for unknown settings and refuses to start with.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ ternary .Values.worker.terminationGracePeriodSeconds .Values.terminationGracePeriodSeconds (eq (include "recollect.component" .) "worker") }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.topologySpread }}
{{- if .enabled }}
topologySpreadConstraints:
  - maxSkew: {{ .maxSkew }}
    topologyKey: {{ .topologyKey }}
    whenUnsatisfiable: {{ .whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "recollect.selectorLabels" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
volumes:
  {{- include "recollect.volumes" . | nindent 2 }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/*
How to replace pods. A database in a file has one writer and its volume one node, so the old pod stops first.
*/}}
{{- define "recollect.strategy" -}}
{{- if include "recollect.databaseEmbedded" . -}}
type: Recreate
{{- else -}}
type: RollingUpdate
rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
{{- end -}}
{{- end -}}
