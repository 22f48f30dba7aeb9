import{require_jsx_runtime as e,useMutation as t,useNavigate as n}from"./libraries.js";import{ErrorNotice as r,MainButton as i,api as a}from"./error-notice.js";import{AsRequest as o}from"./as-request.js";import{Field as s,Permitted as c,submits as l,textIn as u}from"./index.js";import{PageHead as d}from"./page-head.js";import{bodyOf as f,refreshTemplates as p}from"./template-calls.js";var m=e(),h={markdown:`preheader: Your order {{number}} is on its way.

# Thank you, {{name}}

Your order **{{number}}** is on its way.

[See your order]({{url}}){button}

| Item | Price |
|---|---:|
{{#each items}}
| {{title}} | {{price}} |
{{/each}}
`,html:`<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark">
    <style>
      body { font-family: sans-serif; margin: 24px; }
      @media (prefers-color-scheme: dark) {
        body { background: #17181a; color: #ececea; }
        a { color: #7fa9f7; }
      }
    </style>
  </head>
  <body>
    <h1>Thank you, {{name}}</h1>
    <p>Your order {{number}} is on its way. <a href="{{url}}">See your order</a></p>
  </body>
</html>
`},g=`Your order {{number}}`;function _(){let e=n(),{mutate:_,error:v,isPending:y}=t({mutationFn:({name:e,kind:t})=>{let n={subject:g,source:h[t]};return a.templates.create({name:e,kind:t,...f(t,n)})},onSuccess:async({id:t})=>{await p(),await e({to:`/templates/$templateId`,params:{templateId:t},replace:!0})}}),b=l(e=>{let t=e.get(`kind`)===`html`?`html`:`markdown`;_({name:u(e,`name`),kind:t})});return(0,m.jsxs)(m.Fragment,{children:[(0,m.jsx)(d,{title:`Add template`}),(0,m.jsxs)(`form`,{className:`panel padded`,"aria-label":`Add template`,onSubmit:b,children:[(0,m.jsx)(s,{label:`Name`,name:`name`,required:!0,maxLength:200,placeholder:`Receipt`}),(0,m.jsxs)(`fieldset`,{children:[(0,m.jsx)(`legend`,{children:`Format`}),(0,m.jsxs)(`label`,{children:[(0,m.jsx)(`input`,{type:`radio`,name:`kind`,value:`markdown`,defaultChecked:!0}),` Markdown (converted to HTML)`]}),(0,m.jsxs)(`label`,{children:[(0,m.jsx)(`input`,{type:`radio`,name:`kind`,value:`html`}),` HTML`]})]}),(0,m.jsx)(`p`,{className:`muted`,children:`A plain-text version is generated automatically. Publish the template before you send with it.`}),v&&(0,m.jsx)(r,{error:v}),(0,m.jsx)(`div`,{className:`buttons`,children:(0,m.jsx)(c,{operation:`POST /v1/templates`,act:`add templates`,children:(0,m.jsx)(i,{type:`submit`,disabled:y,children:`Add template`})})})]}),(0,m.jsx)(o,{method:`POST`,path:`/v1/templates`,body:{name:`Receipt`,kind:`markdown`,subject:g,markdown:`# Thank you`}})]})}export{_ as NewTemplate};