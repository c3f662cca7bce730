# Builds the page's program and style sheet from web/ and puts them into a C file:
#   cmake -DWEB=folder -DNODE=program -DNPM=program -DOUT=folder -DOUTPUT=file -P embed-bundle.cmake
# Without NODE the file says that there is no page.
set(head "// Made from web/ at build time.\n#include \"report/bundle.h\"\n\n")

if(NOT NODE)
  file(WRITE ${OUTPUT} "${head}StickBundle stick_bundle(void)\n{\n    return (StickBundle){0};\n}\n")
  return()
endif()

# What the page is made of is fetched once for each package-lock.json, whatever build folder asks first.
set(stamp ${WEB}/node_modules/.stickslip-lock)
file(SHA256 ${WEB}/package-lock.json wanted)
set(there "")
if(EXISTS ${stamp})
  file(READ ${stamp} there)
endif()
if(NOT there STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund WORKING_DIRECTORY ${WEB} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "npm could not fetch what the report page is made of (web/package-lock.json); "
                        "cmake -DSTICKSLIP_REPORT=OFF builds without the page")
  endif()
  file(WRITE ${stamp} ${wanted})
endif()

execute_process(COMMAND ${NODE} build.mjs ${OUT} WORKING_DIRECTORY ${WEB} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "web/build.mjs failed")
endif()

# The browser compares the hashes with what stands between the tags: nothing there may end them early or be read
# in another way.
foreach(name report.js report.css)
  file(SIZE ${OUT}/${name} length_${name})
  if(length_${name} EQUAL 0)
    message(FATAL_ERROR "${OUT}/${name} is empty")
  endif()
  file(READ ${OUT}/${name} text)
  string(TOLOWER "${text}" text)
  foreach(bad "</script" "</style" "<!--" "\r")
    string(FIND "${text}" "${bad}" found)
    if(found GREATER -1)
      message(FATAL_ERROR "${OUT}/${name} holds '${bad}', with which it can't stand in a page")
    endif()
  endforeach()
endforeach()

file(READ ${OUT}/bundle.json hashes)
foreach(name script style)
  if(NOT hashes MATCHES "\"${name}\": *\"(sha256-[A-Za-z0-9+/]+=*)\"")
    message(FATAL_ERROR "${OUT}/bundle.json has no hash of the ${name}")
  endif()
  set(hash_${name} ${CMAKE_MATCH_1})
endforeach()

file(WRITE ${OUTPUT} "${head}// The bytes come straight from the files: a compiler would take long for a text of their size.
__asm__(\".pushsection .rodata\\n\"
        \"stick_bundle_script:\\n.incbin \\\"${OUT}/report.js\\\"\\n.byte 0\\n\"
        \"stick_bundle_style:\\n.incbin \\\"${OUT}/report.css\\\"\\n.byte 0\\n\"
        \".popsection\\n\");
extern const char stick_bundle_script[] __attribute__((visibility(\"hidden\")));
extern const char stick_bundle_style[] __attribute__((visibility(\"hidden\")));

StickBundle stick_bundle(void)
{
    return (StickBundle){
        .script = stick_bundle_script,
        .style = stick_bundle_style,
        .script_length = ${length_report.js},
        .style_length = ${length_report.css},
        .script_hash = \"${hash_script}\",
        .style_hash = \"${hash_style}\",
    };
}
")
